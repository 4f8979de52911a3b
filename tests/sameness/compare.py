#!/usr/bin/env python3
"""Proves that two builds of `dem` do the same, bit by bit and word by word.

    python3 tests/sameness/compare.py OLD NEW [--only REGEX] [--jobs N] [--texts]

OLD and NEW are programs `dem`, or records that `--save` wrote. Every case of case_table.py is checked, resolved, run
and read back; some also run on three threads, are interrupted and resumed, and start another run. Every case in
tests/bad-cases is checked. The report lists each difference of bits, and each changed line of a message once with the
number of its places.

Exit code 0: all bits are equal (with --texts: all texts too); 1: a difference; 2: wrong use.
"""
import argparse
import collections
import difflib
import json
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bad_inputs  # noqa: E402
import case_table  # noqa: E402
from recorder import Recorder  # noqa: E402


def record_of(source, pattern, jobs):
    """The record of a program, or one that was saved."""
    if source.endswith(".json"):
        with open(source, encoding="utf-8") as file:
            return {name: found for name, found in json.load(file).items() if pattern.search(name)}
    cases = {name: text for name, text in case_table.all_cases().items() if pattern.search(name)}
    start = time.time()

    def say(done, of):
        if sys.stderr.isatty() or done == of:
            print(f"\r{source}: {done} of {of} runs, {time.time() - start:.0f} s", end="" if done < of else "\n",
                  file=sys.stderr)

    bad = {name: text for name, text, messages in bad_inputs.inputs("cases")
           if messages and pattern.search("bad." + name)}
    with tempfile.TemporaryDirectory(prefix="dem-sameness-") as work:
        return Recorder(os.path.abspath(source), work, jobs).all(cases, bad,
                                                                 bool(pattern.search("help")), say)


def within_one(record):
    """Runs of one build that must agree with each other: threads and resumed runs with the plain run."""
    for name, found in record.items():
        plain, _, kind = name.rpartition(".")
        for key in found["bits"].get("differs when resumed", ()):
            yield f"{name}: {key} differs when the run is stopped and resumed"
        if kind not in ("threads", "resumed") or plain not in record:
            continue
        if kind == "resumed" and not found["bits"]["interrupted"]:
            yield f"{name}: the run ended before it could be interrupted"
        for key, value in found["bits"].items():
            wanted = record[plain]["bits"].get("run exit code" if key == "exit code" else key)
            if key != "interrupted" and value != wanted:
                yield f"{name}: {key}: {value}, on one thread and without a break {wanted}"


def differences(old, new):
    """Bits that differ, as lines; and changed lines of texts with the places where they changed."""
    bits, texts = [], collections.defaultdict(list)
    for name in sorted(set(old) | set(new)):
        if name not in old or name not in new:
            bits.append(f"{name}: only in the {'new' if name in new else 'old'} record")
            continue
        before, after = old[name], new[name]
        for key in sorted(set(before["bits"]) | set(after["bits"])):
            if key != "interrupted" and before["bits"].get(key) != after["bits"].get(key):
                bits.append(f"{name}: {key}: {shown(before['bits'].get(key), after['bits'].get(key))}")
        for key in sorted(set(before["texts"]) | set(after["texts"])):
            a, b = before["texts"].get(key, ""), after["texts"].get(key, "")
            if a != b:
                for line in difflib.unified_diff(a.splitlines(), b.splitlines(), lineterm="", n=0):
                    if not re.match(r"---|\+\+\+|@@", line):
                        texts[line].append(f"{name} ({key})")
    return bits, texts


def shown(before, after):
    """Two values that differ; of long texts the lines that do."""
    if isinstance(before, str) and isinstance(after, str) and "\n" in before + after:
        lines = [line for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
                 if not re.match(r"---|\+\+\+|@@", line)]
        return "\n    " + "\n    ".join(lines[:12])
    return f"{before} -> {after}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="+", metavar="BUILD",
                        help="a program `dem` or a saved record; one alone is compared with itself")
    parser.add_argument("--only", default="", help="names of cases, as a regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--save", metavar="FILE.json", help="write the record of the last build")
    parser.add_argument("--texts", action="store_true", help="count a changed message as a difference")
    parser.add_argument("--lines", type=int, default=60, help="lines of each list that are printed")
    choice = parser.parse_args()
    if len(choice.builds) > 2:
        parser.error("one or two builds")
    for source in choice.builds:
        if not os.path.exists(source):
            parser.error(f"{source}: no such file; expected a program dem or a record that --save wrote")
    pattern = re.compile(choice.only)
    records = [record_of(source, pattern, choice.jobs) for source in choice.builds]
    if choice.save:
        with open(choice.save, "w", encoding="utf-8") as file:
            json.dump(records[-1], file, indent=0, sort_keys=True)
    bits, texts = differences(records[0], records[-1])
    inner = list(within_one(records[-1]))
    values = sum(len(found["bits"]) for found in records[-1].values())
    count = collections.Counter(kind_of(name) for name in records[-1])
    print("Compared: " + ", ".join(f"{n} {kind}" for kind, n in count.items()) + f"; {values} checksums and values.")
    for title, lines in (("Bits that differ", bits), ("Runs that do not agree within the last build", inner),
                         ("Lines of texts that changed",
                          [f"{line}    [{len(places)}: {places[0]}]" for line, places in texts.items()])):
        print(f"{title}: {len(lines) or 'none'}")
        for line in lines[:choice.lines]:
            print("  " + line)
        if len(lines) > choice.lines:
            print(f"  … and {len(lines) - choice.lines} more (--lines)")
    return 1 if bits or inner or (choice.texts and texts) else 0


def kind_of(name):
    last = name.rpartition(".")[2]
    if name.startswith("bad."):
        return "bad inputs"
    return {"threads": "runs on three threads", "resumed": "resumed runs", "started": "runs that start from another",
            "help": "help"}.get(last, "cases")


if __name__ == "__main__":
    sys.exit(main())
