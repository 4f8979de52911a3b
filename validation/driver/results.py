"""What `dem validate` leaves: a result for each study, and claims.json, figures.json and VERDICTS.md of all of them."""

import json
import os
import time

WORDS = (("agrees", "agree"), ("differs", "differ"), ("not comparable", "not comparable"))


class BadResult(Exception):
    """A result file is damaged."""


def folder_of(output, name, quick):
    return output / name / ("quick" if quick else "full")


def write_text(path, text):
    """The whole file or the old one."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def write_json(path, data):
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write_result(output, result):
    """`order` says which of the quick and the full result is newer."""
    write_json(folder_of(output, result["study"], result["quick"]) / "result.json",
               result | {"order": time.time_ns() // 1_000_000})


def read_result(output, name, quick):
    """The result of an earlier call, or None."""
    file = folder_of(output, name, quick) / "result.json"
    if not file.exists():
        return None
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
        result["order"], result["claims"], result["date"]
    except (ValueError, KeyError, TypeError):
        raise BadResult(f"{file}: is damaged; remove it and run the study again") from None
    return result


def latest(output, studies):
    """The newer result of each study, quick or full."""
    both = [[read_result(output, s.name, quick) for quick in (True, False)] for s in studies]
    return [max(filter(None, pair), key=lambda r: r["order"]) for pair in both if any(pair)]


def merge(output, studies):
    """Writes claims.json and figures.json, and returns the results."""
    results = latest(output, studies)
    write_json(output / "claims.json", [claim for r in results for claim in r["claims"]])
    keep = [{key: value for key, value in r.items() if key not in ("order", "inputs")} for r in results]
    write_json(output / "figures.json", {"format": 1, "studies": keep})
    return results


def counts_text(claims):
    n = {word: sum(c["verdict"] == word for c in claims) for word, _ in WORDS}
    return (f"{n['agrees']} agree{'s' if n['agrees'] == 1 else ''}, "
            f"{n['differs']} differ{'s' if n['differs'] == 1 else ''}, {n['not comparable']} not comparable")


def duration_text(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
