#!/usr/bin/env python3
"""The page of `dem validate`: every study with its claims, its figures (inline SVG) and the case behind them.

    report.py FIGURES.json PAGE.html
    report.py FIGURES.json --pictures FOLDER

The page is one file that needs no network. FIGURES.json is written by dem validate. --pictures writes the figures of
full results, small, as FOLDER/STUDY/picture-1.png and so on.
"""
import html
import itertools
import json
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from drawing import INDEXED, svg_of, write_pictures

VERDICTS = [("agrees", "agree"), ("differs", "differ"), ("not comparable", "not comparable")]


def markup(text):
    """Text of the page: escaped, indices below the line, line breaks kept."""
    text = re.sub(r"`([^`<>]+)`", r"<code>\1</code>", html.escape(text))
    return INDEXED.sub(r"\1<sub>\2</sub>", text).replace("\n", "<br>")


def counts(claims):
    return {word: sum(c["verdict"] == word for c in claims) for word, _ in VERDICTS}


def anchor(text):
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)


def badge(verdict):
    return f'<span class="badge {anchor(verdict)}">{verdict}</span>'


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def short(claim, study):
    prefix = study["study"] + "/"
    return claim["id"][len(prefix):] if claim["id"].startswith(prefix) else claim["id"]


def command_of(study):
    return "dem validate " + study["study"] + (" --quick" if study["quick"] else "")


def claims_table(study):
    rows = []
    for c in study["claims"]:
        own, name = anchor(c["id"]), html.escape(short(c, study)).replace("-", "-<wbr>")
        cells = [f'<a class="self" href="#{own}">{name}</a><div class="source">{markup(c["source"])}</div>',
                 markup(c["published"]), markup(c["measured"]), markup(c["tolerance"]), badge(c["verdict"])]
        rows.append(f'<tr id="{own}" class="{anchor(c["verdict"])}">' + "".join(f"<td>{cell}</td>" for cell in cells)
                    + "</tr>")
        if c["note"]:
            rows[-1] += f'<tr class="note"><td></td><td colspan="4">{markup(c["note"])}</td></tr>'
    return ('<table class="claims"><colgroup><col style="width:17%"><col style="width:27%"><col style="width:27%">'
            '<col style="width:18%"><col style="width:11%"></colgroup><thead><tr><th>Claim, source</th>'
            "<th>Published</th><th>Measured</th><th>Tolerance</th><th>Verdict</th></tr></thead><tbody>"
            + "\n".join(rows) + "</tbody></table>")


def figure_block(figure, study, number):
    try:
        picture = svg_of(figure, number)
    except Exception as error:  # one figure must not cost the page
        picture = f'<p class="error">This figure could not be drawn: {html.escape(str(error))}</p>'
    case = (f'<details><summary>The case behind it</summary><pre>{html.escape(figure["case_text"])}</pre></details>'
            if figure["case_text"] else "")
    command = figure["command"] or command_of(study)
    return (f'<figure id="{anchor("figure-" + figure["id"])}-{number}">'
            f'<figcaption><b>{markup(figure["title"])}</b></figcaption>{picture}'
            f'<p class="caption">{markup(figure["caption"])}</p>'
            f'<p class="again">Again: <code>{html.escape(command)}</code></p>{case}</figure>')


def study_block(study, first_figure):
    parts = [f'<section id="{anchor(study["study"])}"><h2>{markup(study["title"])}</h2>',
             f'<p class="meta"><code>{html.escape(study["study"])}</code> &middot; '
             f'{"quick" if study["quick"] else "full"} set &middot; {study["date"]} UTC &middot; '
             f'libdem {html.escape(study["version"])} &middot; {duration(study["seconds"])} in the last call '
             f'&middot; again: <code>{html.escape(command_of(study))}</code></p>']
    if study.get("remark"):
        parts.append(f'<p class="meta">{markup(study["remark"])}</p>')
    if study["error"]:
        parts.append(f'<p class="error">This study did not come to its end: {markup(study["error"])}</p>')
    if study["claims"]:
        parts.append(claims_table(study))
    for k, figure in enumerate(study["figures"]):
        parts.append(figure_block(figure, study, first_figure + k))
    parts.append('<p class="top"><a href="#top">back to the top</a></p></section>')
    return "\n".join(parts)


def summary(studies):
    rows = []
    for s in studies:
        n = counts(s["claims"])
        cells = "".join(f'<td class="number {anchor(word) if n[word] else "none"}">{n[word] or "&ndash;"}</td>'
                        for word, _ in VERDICTS)
        failed = ' <span class="badge error">failed</span>' if s["error"] else ""
        name = html.escape(s["study"].split("/", 1)[-1])
        rows.append(f'<tr><td><a href="#{anchor(s["study"])}">{name}</a>{failed}</td><td>{markup(s["title"])}</td>'
                    f'{cells}'
                    f'<td>{"quick" if s["quick"] else "full"}</td><td class="date">{s["date"]}</td></tr>')
    total = counts([c for s in studies for c in s["claims"]])
    cells = "".join(f'<td class="number">{total[word]}</td>' for word, _ in VERDICTS)
    rows.append(f'<tr class="total"><td>all</td><td></td>{cells}<td></td><td></td></tr>')
    return ('<table class="summary"><thead><tr><th>Study</th><th></th><th>agree</th><th>differ</th>'
            "<th>not comparable</th><th>set</th><th>run (UTC)</th></tr></thead><tbody>"
            + "\n".join(rows) + "</tbody></table>")


def differing(studies):
    items = [f'<li><a href="#{anchor(c["id"])}">{html.escape(c["id"].split("/", 1)[-1])}</a>: '
             f'{markup(c["note"] or c["measured"])}</li>'
             for s in studies for c in s["claims"] if c["verdict"] == "differs"]
    return f'<h2>What differs</h2><ul class="differing">{"".join(items)}</ul>' if items else ""


STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif;
  color: #1d2329; background: #fff;
  max-width: 1200px; margin: 0 auto; padding: 24px 28px 80px; }
h1 { font-size: 26px; margin: 0 0 6px; }
h2 { font-size: 20px; margin: 44px 0 4px; border-top: 2px solid #d9dee4; padding-top: 18px; }
a { color: #1b5e98; text-decoration: none; } a:hover { text-decoration: underline; }
code, pre { font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Consolas, monospace; }
pre { background: #f5f6f8; padding: 12px 14px; overflow-x: auto; border-radius: 4px; max-height: 480px; }
table { border-collapse: collapse; width: 100%; margin: 12px 0 20px; }
th { text-align: left; font-weight: 600; font-size: 13px; color: #4a5560; border-bottom: 2px solid #c6ced6;
  padding: 5px 9px; vertical-align: bottom; }
td { border-top: 1px solid #e1e5ea; padding: 6px 9px; vertical-align: top; overflow-wrap: break-word; }
.claims { table-layout: fixed; font-size: 14px; } .claims .source { font-size: 12px; color: #68737e; }
.claims td:nth-child(4) { font-size: 13px; color: #4a5560; }
.claims tr.note td { border-top: none; padding-top: 0; color: #3d4750; font-size: 13.5px; font-style: italic; }
.badge { display: inline-block; font-size: 12.5px; font-weight: 600; border-radius: 3px; padding: 1px 7px; }
.badge.agrees { background: #dcefdd; color: #1e5b26; } .badge.differs { background: #f9dfd8; color: #8f2d13; }
.badge.not-comparable { background: #e6e9ed; color: #414b55; } .badge.error { background: #8f2d13; color: #fff; }
.summary td { padding: 4px 9px; }
.summary .number { text-align: right; width: 70px; font-variant-numeric: tabular-nums; }
.summary th:nth-child(n+3):nth-child(-n+5) { text-align: right; }
.summary td.date { white-space: nowrap; color: #4a5560; }
.summary .agrees { color: #1e5b26; } .summary .differs { color: #a3331a; font-weight: 600; }
.summary .none { color: #b7bec6; }
.summary .total td { border-top: 2px solid #c6ced6; font-weight: 600; }
.meta, .again, .top { font-size: 13px; color: #68737e; margin: 2px 0 10px; }
.error { background: #f9dfd8; padding: 8px 12px; border-radius: 4px; }
figure { margin: 26px 0 34px; } figure .caption { margin: 6px 0 2px; max-width: 900px; }
figcaption { font-size: 15px; margin-bottom: 6px; }
svg.wide { width: 100%; height: auto; } svg.narrow { width: 760px; max-width: 100%; height: auto; }
details summary { cursor: pointer; color: #1b5e98; font-size: 13.5px; }
.differing { font-size: 14px; padding-left: 22px; } .differing li { margin: 3px 0; }
tr:target td { background: #fff8dc; }
"""


def main():
    pictures = len(sys.argv) == 4 and sys.argv[2] == "--pictures"
    if len(sys.argv) != 3 and not pictures:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        studies = json.load(file)["studies"]
    if pictures:
        failed = write_pictures([s for s in studies if not s["quick"] and not s["error"]], Path(sys.argv[3]))
        sys.exit("these studies keep their old pictures: " + ", ".join(failed) if failed else 0)
    total = counts([c for s in studies for c in s["claims"]])
    sentence = ", ".join(f"{total[word]} {plural}" for word, plural in VERDICTS)
    first_figures = itertools.accumulate((len(study["figures"]) for study in studies), initial=0)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        blocks = list(pool.map(study_block, studies, first_figures))
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>libdem: validation</title><style>{STYLE}</style></head><body id="top">
<h1>Validation of libdem</h1>
<p>Published figures and tables beside what libdem measures, claim by claim: {sum(total.values())} claims, {sentence}.
A published claim that does not hold is a finding; the note under a claim says why. Tolerances come
from the accuracy of the source, not from the result.
Predictions and published values are dashed in the figures.</p>
{summary(studies)}
{differing(studies)}
{"".join(blocks)}
</body></html>
"""
    part = sys.argv[2] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(page)
    os.replace(part, sys.argv[2])


if __name__ == "__main__":
    main()
