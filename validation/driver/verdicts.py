"""VERDICTS.md has a row for each item of the papers, and CLAIMS.md of a paper all claims of its studies. claims.json in
this folder holds the claims of the last full runs."""

import json

from driver.catalogue import ORIGINS, all_studies, read_papers
from driver.results import WORDS, write_json, write_text

HEAD = """# Verdicts

Written by `dem validate`. A row for each figure, table and statement of the papers. A row counts claims about
published statements, of the paper, or of a source that it cites or that the field knows. If it has none, its claims are
about our reference page or about libdem alone. Such a row says "reference page only", and has a column of its own in
the table below. "Not judged yet" and "not comparable" may have a reason behind them, in place of the count. The link of
a study leads to its claims, with conditions, tolerances and notes. The note says why a claim differs, or that this is
not explained.

± is one standard error, and square brackets are 95 % intervals. A text in which ± means another thing says so.
"""
PUBLISHED = ("paper", "cited")
TEXTS = ("origin", "source", "published", "conditions", "note", "number")


def cut(text, most=70):
    """The beginning of a measured text, for a cell."""
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


def counted(claims):
    """Those about published statements; all if there is none."""
    return [c for c in claims if c["origin"] in PUBLISHED] or claims


UNPUBLISHED = "reference page only: "


def item_verdict(claims):
    """One word for the counted claims of an item. "In part" needs one that agrees."""
    found = [c["verdict"] for c in claims]
    of = "" if claims[0]["origin"] in PUBLISHED else UNPUBLISHED
    if len(set(found)) == 1:
        return of + found[0]
    parts = ", ".join(f"{found.count(word)} {plural}" for word, plural in WORDS if word in found)
    return of + ("in part" if "agrees" in found else "differs") + ": " + parts


def link(sources, study):
    """To the claims of a study, and to the first picture of its kept result."""
    paper, name = study.split("/")
    picture = f"{study}/picture-1.png"
    return f"[{name}]({paper}/CLAIMS.md#{name})" + (f" ([picture]({picture}))" if (sources / picture).exists() else "")


def row_of(sources, paper, item, claims, dates):
    ids = [f"{paper}/{name}" for name in item.get("claims", [])]
    known = [claims[name] for name in ids if name in claims]
    shown = counted(known)
    studies = sorted({name.rsplit("/", 1)[0] for name in ids})
    links = ", ".join(link(sources, name) for name in studies)
    if not ids or len(known) < len(ids):
        reason = item.get("open", "no full run is kept" if ids else "")
        verdict = "not judged yet" + (": " + reason if reason else "")
        return [item["id"], item["at"], item["says"], verdict, "", "", links, ""]
    conditions = "; ".join(dict.fromkeys(c["conditions"] for c in shown if c.get("conditions"))) or "see the study"
    number = shown[0].get("number") or cut(shown[0]["measured"])
    verdict = f"not comparable: {item['open']}" if "open" in item else item_verdict(shown)
    return [item["id"], item["at"], item["says"], verdict, number, conditions, links,
            max(dates[name] for name in studies)]


def line(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def text_of(sources, results):
    """The page for results of studies, each with study, date and claims."""
    claims = {c["id"]: c for r in results for c in r["claims"]}
    dates = {r["study"]: r["date"][:10] for r in results}
    counts = ["\n| paper | items | agree | differ | not comparable | in part | reference page only |",
              "|---|--:|--:|--:|--:|--:|--:|"]
    origins = ["\nClaims of the studies by the origin of the statement. One statement may have several claims:\n",
               "| origin | agree | differ | not comparable |", "|---|--:|--:|--:|"]
    tables = []
    for paper, table in read_papers(sources).items():
        rows = [row_of(sources, paper, item, claims, dates) for item in table["item"]]
        starts = *(word for word, _ in WORDS), "in part", UNPUBLISHED
        counts.append(line(paper, len(rows), *(sum(row[3].startswith(start) for row in rows) for start in starts)))
        tables += [f"\n## {table['title']}\n",
                   line("item", "place", "statement", "verdict", "number", "conditions", "study", "run"),
                   "|---|---|---|---|---|---|---|---|", *(line(*row) for row in rows)]
    for origin in ORIGINS:
        found = [c["verdict"] for c in claims.values() if c["origin"] == origin]
        if found:
            origins.append(line(origin, *(found.count(word) for word, _ in WORDS)))
    return "\n".join([HEAD, *counts, *origins, *tables]) + "\n"


def claims_text(title, results):
    """The claims of one paper's results."""
    lines = [f"# Claims: {title}\n", "Written by `dem validate`, from the last full run of each study."]
    for r in results:
        name, run = r["study"].split("/")[1], f"Run on {r['date'][:10]}, commit {r['commit']}."
        lines.append(f"\n## {name}\n\nThe files are in [{name}]({name}). {run}\n")
        for c in r["claims"]:
            texts = [f"Published: {c['published']}", f"Found: {c['measured']}", f"Tolerance: {c['tolerance']}",
                     f"Conditions: {c['conditions']}", c["note"]]
            lines.append(f"- **{c['id'].split('/')[2]}: {c['verdict']}** ({c['origin']}; {c['source']}). "
                         + " ".join(text.rstrip(".") + "." for text in texts if text).replace("\n", " "))
    return "\n".join(lines) + "\n"


def pages(sources, results):
    """The pages beside the studies by their files, of kept results."""
    of_study = {r["study"]: r for r in results}
    papers = read_papers(sources)
    order = {paper: [f"{paper}/{name}" for name in table["studies"]] for paper, table in papers.items()}
    return {sources / "VERDICTS.md": text_of(sources, results)} | {
        sources / paper / "CLAIMS.md": claims_text(table["title"], [of_study[n] for n in order[paper] if n in of_study])
        for paper, table in papers.items()}


def with_texts_of(study, result):
    """A kept result with the texts of its study.toml that hold no value, without claims that are gone. A claim that has
    lost its rule is not judged any more. Another rule needs another run: the tolerance of a rule stays."""
    claims = []
    for table in study.claims:
        texts = {key: text for key in TEXTS if "{" not in (text := table.get(key, ""))}
        if "agrees" not in table:
            texts |= {"verdict": WORDS[2][0], "tolerance": table["tolerance"]}
        claims += [c | texts for c in result["claims"] if c["id"] == f"{study.name}/{table['id']}"]
    return result | {"claims": claims}


def keep(sources, results):
    """Puts full results into claims.json and the pages of the sources. Of other studies only texts change."""
    studies = {s.name: s for s in all_studies(sources)}
    kept = {r["study"]: with_texts_of(studies[r["study"]], r) for r in kept_results(sources) if r["study"] in studies}
    for r in results:
        if not r["quick"] and not r["error"]:
            kept[r["study"]] = {key: r.get(key, "") for key in ("study", "date", "version", "commit", "claims")}
    write_json(sources / "claims.json", [kept[name] for name in sorted(kept)])
    for file, text in pages(sources, list(kept.values())).items():
        write_text(file, text)


def kept_results(sources):
    file = sources / "claims.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
