"""Claims in columns, for a terminal."""

import itertools
import textwrap
import unicodedata

from driver.results import counts_text


def width_of(text):
    """Columns that a text takes: marks on the letter before them take none (γ̇)."""
    return sum(not unicodedata.combining(c) for c in text)


def padded(text, width):
    return text + " " * max(0, width - width_of(text))


def claims_table(result, width):
    name = result["study"]
    lines = [f"{name}: {result['title']} ({counts_text(result['claims'])})"]
    if result["error"]:
        lines += textwrap.wrap("FAILED: " + result["error"], width, initial_indent="  ", subsequent_indent="  ")
    if not result["claims"]:
        return "\n".join(lines) + "\n"
    verdict, first = 14, min(max(width // 5, 14), 30)
    rest = max(width, 60) - verdict - first - 8
    widths = (first, rest // 2, rest - rest // 2, verdict)

    def add_row(cells):
        for row in itertools.zip_longest(*map(textwrap.wrap, cells, widths), fillvalue=""):
            lines.append(("  " + "  ".join(map(padded, row, widths))).rstrip())

    add_row(("claim", "published", "measured", "verdict"))
    lines.append("  " + "-" * (sum(widths) + 6))
    for c in result["claims"]:
        add_row((c["id"].removeprefix(name + "/"), c["published"], c["measured"], c["verdict"]))
        if c["verdict"] != "agrees" and c["note"]:
            indent = " " * (first + 4)
            lines += textwrap.wrap("why: " + c["note"], width, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines) + "\n"
