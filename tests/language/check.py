#!/usr/bin/env python3
"""Checks the rules of plain English that a script can check, in comments of C++ and Python files and in Markdown.

  sentence   at most 25 words, and at most one colon or semicolon
  word       no sentence begins with "Of …:" or "What"; no "so it is", "wants", "tells", "somebody", "nobody"
  width      at most 120 columns

It prints each place that breaks a rule. The exit code is 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BANNED = re.compile(r"\b(so it is|wants|tells|somebody|nobody)\b", re.IGNORECASE)
OPENER = re.compile(r"^(What\b|Of\b[^:]{1,40}:)")
CODE = re.compile(r"^\s\s.*;(\s\s|$)")  # an indented declaration in a comment


def texts(path):
    """Blocks of prose of a file as (line, text)."""
    block, start = [], 0
    comments = {".md": r"^(?![#|`\s>!-])(.*)$", ".py": r"^\s*#:?\s?(.*)$"}
    comment = re.compile(comments.get(path.suffix, r"^\s*///?<?\s?(.*)$"))
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path.suffix == ".md" and line.startswith("```"):
            fenced = not fenced
        found = None if fenced else comment.match(line)
        if not found and path.suffix in (".cpp", ".hpp"):
            after_code = re.search(r"\s///?<?\s(.*)$", line)
            if after_code and "\"" not in after_code.group(1):
                yield number, after_code.group(1)
        if found and found.group(1).strip() and not CODE.match(found.group(1)):
            start = start or number
            block.append(found.group(1).strip())
        elif block:
            yield start, " ".join(block)
            block, start = [], 0
    if block:
        yield start, " ".join(block)


def places(path):
    """(rule, line, text) for each place of a file that breaks a rule."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > 120 and path.suffix != ".md":
            yield "width", number, line.strip()[:80]
    for number, text in texts(path):
        plain = re.sub(r"`[^`]*`|\([^()]*\)|https?:\S+|\w+::\w+", "x", text)
        for sentence in re.split(r"(?<=[.!?])\s+", plain):
            words, colons = re.findall(r"\w[\w'’-]*", sentence), re.findall(r"[:;](?=\s)", sentence)
            if len(words) > 25 or len(colons) > 1:
                yield "sentence", number, sentence[:100]
            if OPENER.search(sentence) or BANNED.search(sentence):
                yield "word", number, sentence[:100]


def files():
    """Those that git knows, or all where there is no git."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
        names = listed.stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if "build" not in p.relative_to(ROOT).parts]
    return sorted(n for n in names if (ROOT / n).suffix in (".cpp", ".hpp", ".py", ".md") and (ROOT / n).is_file())


def main():
    names = files()
    found = [f"{name}:{line}: {rule}: {text}" for name in names for rule, line, text in places(ROOT / name)]
    print("\n".join(found) or f"{len(names)} files keep the rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
