"""The studies: folders with a study.toml."""

import difflib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from driver.digits import csv_rows

# Of a claim in study.toml; README.md beside the papers explains them.
CLAIM_KEYS = {"id", "origin", "source", "published", "measured", "number", "tolerance", "agrees", "conditions", "note",
              "set"}
CLAIM_NEEDED = {"id", "origin", "source", "published", "measured", "tolerance", "conditions", "note"}
ORIGINS = ("paper", "cited", "reference", "own")
SETS = ("quick", "full")


class BadStudy(Exception):
    """A file of a study has a mistake."""


class UnknownStudy(Exception):
    """No study has this name."""


@dataclass(frozen=True)
class Study:
    name: str
    title: str
    full_minutes: float  # expected on 2 cores, measured once
    quick_seconds: float
    folder: Path
    claims: tuple = ()  # tables of study.toml

    def seconds(self, quick, workers, cores):
        """Expected wall-clock time: as measured on 2 cores, scaled."""
        return (self.quick_seconds if quick else 60 * self.full_minutes) * 2 / max(1, min(workers, cores))


def claims_of(claim, default, folder):
    """A claim for each row of the claim's table; the claim itself if it has none."""
    if "rows" not in claim:
        return [default | claim]
    rows = csv_rows(folder / claim["rows"]) if isinstance(claim["rows"], str) else claim["rows"]

    def filled(text, row):
        return re.sub(r"<(\w+)>", lambda found: str(row[found[1]]), text) if isinstance(text, str) else text

    claims = []
    for k, row in enumerate(rows):
        given = default | {key: text for key, text in row.items() if key in CLAIM_KEYS} | claim
        numbered = row | {"k": k, "number": k + 1}
        claims.append({key: filled(text, numbered) for key, text in given.items() if key != "rows"})
    return claims


def read_study(file, sources):
    """Reads and checks a study.toml."""
    def mistake(found, allowed):
        raise BadStudy(f"{file}: {found}; {allowed}")

    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        mistake(f"found no TOML ({error})", "allowed a study.toml as in validation/README.md")
    for key, kind in (("title", str), ("full_minutes", (int, float)), ("quick_seconds", (int, float)), ("claim", list)):
        if not isinstance(table.get(key), kind):
            mistake(f"found no {key}", "it needs title, full_minutes, quick_seconds and [[claim]]")
    seen, claims = set(), []
    for number, claim in enumerate(table["claim"], 1):
        try:
            claims += claims_of(claim, table.get("default", {}), file.parent)
        except (KeyError, OSError) as error:
            missing = error.filename if isinstance(error, OSError) else f"column {error}"
            mistake(f"rows of claim {number} ({claim.get('id', 'without id')}): found no {missing}",
                    "each <name> needs a column, and a file lies beside study.toml")
    for number, claim in enumerate(claims, 1):
        place = f"claim {number} ({claim.get('id', 'without id')})"
        if missing := CLAIM_NEEDED - claim.keys():
            mistake(f"{place} has no {', '.join(sorted(missing))}", "every claim needs them")
        if unknown := claim.keys() - CLAIM_KEYS:
            mistake(f"{place} has {', '.join(sorted(unknown))}", f"allowed {', '.join(sorted(CLAIM_KEYS))}")
        if claim["origin"] not in ORIGINS:
            mistake(f"{place} has origin {claim['origin']!r}", f"allowed {', '.join(ORIGINS)}")
        if claim.get("set", "full") not in SETS:
            mistake(f"{place} has set {claim['set']!r}", f"allowed {', '.join(SETS)}")
        if claim["id"] in seen:
            mistake(f"{place} is there twice", "give each claim an id of its own")
        seen.add(claim["id"])
    return Study(str(file.parent.relative_to(sources)), table["title"], table["full_minutes"], table["quick_seconds"],
                 file.parent, tuple(claims))


def read_papers(sources):
    """The tables of paper.toml by folder, in the order of the report."""
    files = sources.glob("*/paper.toml")
    papers = {file.parent.name: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
    return dict(sorted(papers.items(), key=lambda item: item[1]["place"]))


def all_studies(sources):
    """All studies, in the order of the report."""
    found = [read_study(file, sources) for file in sources.glob("*/*/study.toml")]
    place = [f"{paper}/{study}" for paper, table in read_papers(sources).items() for study in table["studies"]]
    return sorted(found, key=lambda s: (place.index(s.name) if s.name in place else len(place), s.name))


def choose(studies, names):
    """Studies of the given names, in their order, each once: a paper, a study, or its last part where one has it."""
    chosen = set()
    for given in names:
        name = given.rstrip("/")
        found = [s.name for s in studies if name and (s.name == name or s.name.startswith(name + "/"))]
        if not found:
            found = [s.name for s in studies if s.folder.name == name]
            found = found if len(found) == 1 else []
        if not found:
            near = difflib.get_close_matches(name, [s.name for s in studies], 1, 0.7)
            guess = f", did you mean {near[0]}?" if near else ""
            there = "".join(f"\n  {s.name:<28} {s.title}" for s in studies)
            raise UnknownStudy(f"unknown study '{name}'{guess}; there are{there}")
        chosen.update(found)
    return [s for s in studies if not names or s.name in chosen]
