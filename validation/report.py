#!/usr/bin/env python3
"""The page of `dem validate`: every study with its claims, its figures (inline SVG) and the case behind them.

    report.py FIGURES.json PAGE.html
    report.py FIGURES.json --pictures FOLDER

The page is one file that needs no network. FIGURES.json is written by dem validate. --pictures writes the figures of
full results, small, as FOLDER/STUDY/picture-1.png and so on.
"""
import itertools
import json
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from html import escape
from pathlib import Path

from drawing import INDEXED, svg_of, write_pictures
from driver.results import WORDS, counts_text, duration_text, write_text


def markup(text):
    """Text of the page: escaped, indices below the line, line breaks kept."""
    text = re.sub(r"`([^`<>]+)`", r"<code>\1</code>", escape(text))
    return INDEXED.sub(r"\1<sub>\2</sub>", text).replace("\n", "<br>")


def anchor(text):
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)


def row(*cells, of="td"):
    return "<tr>" + "".join(f"<{of}>{cell}</{of}>" for cell in cells) + "</tr>\n"


def claims_table(study):
    rows = [row("Claim, source", "Published", "Measured", "Tolerance", "Verdict", of="th")]
    for c in study["claims"]:
        own, name = anchor(c["id"]), escape(c["id"].removeprefix(study["study"] + "/")).replace("-", "-<wbr>")
        rows.append(row(f'<a id="{own}" href="#{own}">{name}</a><br><small>{markup(c["source"])}</small>',
                        *(markup(c[key]) for key in ("published", "measured", "tolerance")),
                        f'<b class="{anchor(c["verdict"])}">{c["verdict"]}</b>'))
        if c["note"]:
            rows.append(f'<tr class="note"><td></td><td colspan="4">{markup(c["note"])}</td></tr>\n')
    return f'<table class="claims">{"".join(rows)}</table>'


def figure_block(figure, number):
    try:
        picture = svg_of(figure, number)
    except Exception as error:  # one figure must not cost the page
        picture = f'<p class="error">This figure could not be drawn: {escape(str(error))}</p>'
    case = (f'<details><summary>The case behind it</summary><pre>{escape(figure["case_text"])}</pre></details>'
            if figure["case_text"] else "")
    return (f'<figure id="{anchor("figure-" + figure["id"])}-{number}"><figcaption><b>{markup(figure["title"])}</b>'
            f'</figcaption>{picture}<p>{markup(figure["caption"])}</p>{case}</figure>')


def study_block(study, first_figure):
    parts = [f'<section id="{anchor(study["study"])}"><h2>{markup(study["title"])}</h2>',
             f'<p><small><code>{escape(study["study"])}</code> &middot; {"quick" if study["quick"] else "full"} set '
             f'&middot; {study["date"]} UTC &middot; libdem {escape(study["version"])} &middot; '
             f'{duration_text(study["seconds"])} in the last call &middot; again: '
             f'<code>dem validate {study["study"]}{" --quick" if study["quick"] else ""}</code> '
             f'{markup(study["remark"])}</small></p>']
    if study["error"]:
        parts.append(f'<p class="error">This study did not come to its end: {markup(study["error"])}</p>')
    if study["claims"]:
        parts.append(claims_table(study))
    parts += [figure_block(figure, first_figure + k) for k, figure in enumerate(study["figures"])]
    return "\n".join(parts) + '<p><a href="#top">back to the top</a></p></section>'


def summary(studies):
    rows = [row("Study", "", "agree", "differ", "not comparable", "set", "run (UTC)", of="th")]
    for s in studies:
        failed = ' <b class="error">failed</b>' if s["error"] else ""
        numbers = [sum(c["verdict"] == word for c in s["claims"]) or "&ndash;" for word, _ in WORDS]
        rows.append(row(f'<a href="#{anchor(s["study"])}">{escape(s["study"].split("/", 1)[-1])}</a>{failed}',
                        markup(s["title"]), *numbers, "quick" if s["quick"] else "full", s["date"]))
    return f'<table>{"".join(rows)}</table>'


def differing(studies):
    items = [f'<li><a href="#{anchor(c["id"])}">{escape(c["id"].split("/", 1)[-1])}</a>: '
             f'{markup(c["note"] or c["measured"])}</li>'
             for s in studies for c in s["claims"] if c["verdict"] == "differs"]
    return f'<h2>What differs</h2><ul>{"".join(items)}</ul>' if items else ""


STYLE = """
body { font: 15px/1.5 system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; color: #1d2329; background: #fff;
  max-width: 1200px; margin: 0 auto; padding: 24px 28px 80px; }
h2 { font-size: 20px; margin: 44px 0 4px; border-top: 2px solid #d9dee4; padding-top: 18px; }
a, summary { color: #1b5e98; text-decoration: none; }
small, .note { color: #4a5560; }
pre { background: #f5f6f8; padding: 12px 14px; overflow-x: auto; max-height: 480px; }
table { border-collapse: collapse; width: 100%; margin: 12px 0 20px; font-size: 14px; }
th { text-align: left; border-bottom: 2px solid #c6ced6; padding: 5px 9px; }
td { border-top: 1px solid #e1e5ea; padding: 5px 9px; vertical-align: top; overflow-wrap: break-word; }
.claims { table-layout: fixed; } .note td { border-top: none; padding-top: 0; font-style: italic; }
.agrees { color: #1e5b26; } .differs { color: #a3331a; } .error { background: #f9dfd8; padding: 2px 8px; }
figure { margin: 26px 0 34px; } svg.wide { width: 100%; height: auto; } svg.narrow { width: 760px; height: auto; }
"""


def page_of(studies):
    first_figures = itertools.accumulate((len(study["figures"]) for study in studies), initial=0)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        blocks = list(pool.map(study_block, studies, first_figures))
    claims = [c for s in studies for c in s["claims"]]
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>libdem: validation</title><style>{STYLE}</style></head><body id="top">
<h1>Validation of libdem</h1>
<p>Published figures and tables beside what libdem measures, claim by claim: {len(claims)} claims,
{counts_text(claims)}.
A published claim that does not hold is a finding; the note under a claim says why. Tolerances come
from the accuracy of the source, not from the result.
Predictions and published values are dashed in the figures.</p>
{summary(studies)}
{differing(studies)}
{"".join(blocks)}
</body></html>
"""


def read_studies(file):
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))["studies"]
    except OSError as error:
        reason = error.strerror
    except (ValueError, KeyError, TypeError):
        reason = "it is no figures.json of dem validate"
    print(f"report.py: {file} cannot be read: {reason}", file=sys.stderr)
    sys.exit(3)


def main():
    pictures = len(sys.argv) == 4 and sys.argv[2] == "--pictures"
    if len(sys.argv) != 3 and not pictures:
        sys.exit(__doc__)
    studies = read_studies(sys.argv[1])
    if pictures:
        failed = write_pictures([s for s in studies if not s["quick"] and not s["error"]], Path(sys.argv[3]))
        sys.exit("these studies keep their old pictures: " + ", ".join(failed) if failed else 0)
    page = page_of(studies)
    try:
        write_text(Path(sys.argv[2]), page)
    except OSError as error:
        print(f"report.py: {sys.argv[2]} cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
