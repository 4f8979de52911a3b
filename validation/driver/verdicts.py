"""VERDICTS.md: a row for each item of the papers. claims.json in this folder holds the claims of the last full runs."""

import json

from driver.catalogue import ORIGINS, read_papers
from driver.results import WORDS, write_json, write_text

HEAD = """# Verdicts

Written by `dem validate`. A row for each figure, table and statement of the papers. "Not judged yet" has its reason
behind it, where there is one. A difference that stays is explained in the note of its claim, in the report page.

± is one standard error, and square brackets are 95 % intervals. A text in which ± means another thing says so.
"""


def cut(text, most=70):
    """The beginning of a measured text, for a cell."""
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


def item_verdict(claims):
    """One word for the claims of an item."""
    found = [c["verdict"] for c in claims]
    if len(set(found)) == 1:
        return found[0]
    parts = [f"{found.count(word)} {plural}" for word, plural in WORDS if word in found]
    return "in part: " + ", ".join(parts)


def link(sources, study):
    """To the folder of a study, and to the first picture of its kept result."""
    picture = f"{study}/picture-1.png"
    return f"[{study.split('/')[1]}]({study})" + (f" ([picture]({picture}))" if (sources / picture).exists() else "")


def row_of(sources, paper, item, claims, dates):
    ids = [f"{paper}/{name}" for name in item.get("claims", [])]
    known = [claims[name] for name in ids if name in claims]
    studies = sorted({name.rsplit("/", 1)[0] for name in ids})
    links = ", ".join(link(sources, name) for name in studies)
    if not ids or len(known) < len(ids):
        reason = item.get("open", "no full run is kept" if ids else "")
        verdict = "not judged yet" + (": " + reason if reason else "")
        return [item["id"], item["at"], item["says"], verdict, "", "", links, ""]
    conditions = "; ".join(dict.fromkeys(c["conditions"] for c in known if c.get("conditions"))) or "see the study"
    number = known[0].get("number") or cut(known[0]["measured"])
    return [item["id"], item["at"], item["says"], item_verdict(known), number, conditions, links,
            max(dates[name] for name in studies)]


def text_of(sources, results):
    """The page for results of studies, each with study, date and claims."""
    claims = {c["id"]: c for r in results for c in r["claims"]}
    dates = {r["study"]: r["date"][:10] for r in results}
    lines, counts = [HEAD], []
    for paper, table in read_papers(sources).items():
        rows = [row_of(sources, paper, item, claims, dates) for item in table["item"]]
        judged = sum(not row[3].startswith("not judged") for row in rows)
        counts.append(f"| {paper} | {len(rows)} | {judged} | "
                      + " | ".join(str(sum(row[3] == word for row in rows)) for word, _ in WORDS)
                      + f" | {sum(row[3].startswith('in part') for row in rows)} |")
        lines += [f"\n## {table['title']}\n",
                  "| item | place | statement | verdict | number | conditions | study | run |",
                  "|---|---|---|---|---|---|---|---|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    table = ["\n| paper | items | judged | agree | differ | not comparable | in part |",
             "|---|--:|--:|--:|--:|--:|--:|", *counts]
    return "\n".join(lines[:1] + table + origin_table(claims.values()) + lines[1:]) + "\n"


def origin_table(claims):
    """Counts of claims by the origin of their statement."""
    lines = ["\nClaims of the studies by the origin of the statement:\n",
             "| origin | agree | differ | not comparable |", "|---|--:|--:|--:|"]
    for origin in ORIGINS:
        verdicts = [c["verdict"] for c in claims if c["origin"] == origin]
        if verdicts:
            lines.append(f"| {origin} | " + " | ".join(str(verdicts.count(w)) for w, _ in WORDS) + " |")
    return lines


def write(path, sources, results):
    write_text(path, text_of(sources, results))


def keep(sources, results):
    """Puts full results into the claims.json and VERDICTS.md of the sources; other studies stay as they are."""
    kept = {r["study"]: r for r in kept_results(sources)}
    for r in results:
        if not r["quick"] and not r["error"]:
            kept[r["study"]] = {key: r.get(key, "") for key in ("study", "date", "version", "commit", "claims")}
    write_json(sources / "claims.json", [kept[name] for name in sorted(kept)])
    write(sources / "VERDICTS.md", sources, list(kept.values()))


def kept_results(sources):
    file = sources / "claims.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
