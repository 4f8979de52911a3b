#!/usr/bin/env python3
"""Checks the rules of plain English that a script can check, in comments of C++ and Python files and in Markdown.

  sentence   at most 25 words, and at most one colon or semicolon
  word       no sentence begins with "Of …:" or "What"; no "so it is", "wants", "tells", "somebody", "nobody"
  width      at most 120 columns

The tree is older than the rules. limits.txt has the number of places that each room may still have, so that no
room gets worse. Lower a limit after mending a room.

  check.py                  compares with limits.txt; exit code 1 where a room has more
  check.py --list ROOM      lists the places of a room, e.g. libdem/run
  check.py --write          writes limits.txt anew
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = pathlib.Path(__file__).with_name("limits.txt")
RULES = ("sentence", "word", "width")
BANNED = re.compile(r"\b(so it is|wants|tells|somebody|nobody)\b", re.IGNORECASE)
OPENER = re.compile(r"^(What\b|Of\b[^:]{1,40}:)")


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
        if found and found.group(1).strip():
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


def room_of(path):
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0] if len(parts) > 1 else "."


def rooms():
    """Room → rule → places, over the files that git knows, or all where there is no git."""
    found = {}
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
        names = listed.stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if "build" not in p.relative_to(ROOT).parts]
    for name in names:
        path = ROOT / name
        if path.suffix in (".cpp", ".hpp", ".py", ".md") and path.is_file():
            of_room = found.setdefault(room_of(path), {rule: [] for rule in RULES})
            for rule, line, text in places(path):
                of_room[rule].append(f"{name}:{line}: {rule}: {text}")
    return found


def main(words):
    found = rooms()
    if words[:1] == ["--list"]:
        print("\n".join(place for rule in RULES for place in found[words[1]][rule]))
        return 0
    if words == ["--write"]:
        lines = ["# Places that may still break a rule: " + ", ".join(RULES)]
        for room, of_room in sorted(found.items()):
            lines.append(f"{room} {' '.join(str(len(of_room[rule])) for rule in RULES)}")
        LIMITS.write_text("\n".join(lines) + "\n")
        return 0
    limits = {}
    for line in LIMITS.read_text().splitlines():
        if not line.startswith("#"):
            limits[line.split()[0]] = [int(number) for number in line.split()[1:]]
    worse, total = [], 0
    for room, of_room in sorted(found.items()):
        for rule, most in zip(RULES, limits.get(room, [0] * len(RULES))):
            count = len(of_room[rule])
            total += count
            if count > most:
                worse.append(f"{room}: {count} places break the rule '{rule}', allowed {most}; "
                             f"see check.py --list {room}")
    print("\n".join(worse) or f"no room has more than before: {total} places in {len(found)} rooms")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
