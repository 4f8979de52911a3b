"""Bad inputs with their messages, as the files of tests/bad-cases, bad-assemblies, bad-sweeps and bad-drives hold them.

A file is one bad input with its messages, `#! LINE: KEY: found …`. Or a file is a good input, and below its lines stand
variants with their messages:

  `#? TEXT`        TEXT replaces the line above. Several such lines are one text; `#?` alone removes the line.
  `#?3 TEXT`       TEXT replaces the three lines above.
  `#+ TEXT`        TEXT is added below the line above.
  `#! KEY: …`      The variant has this message, at the first line of TEXT.
  `#! +1: KEY: …`  The message is one line further down. -2 is two lines up, 7 is line 7.
  `#! nowhere: …`  The message names no line.
  `#! good`        The variant has no message.

`<laws>` in a message are the names of all laws, and `<any>` is any text. A line means a line of the input, which
begins with none of these marks.
"""
import pathlib
import re

TESTS = pathlib.Path(__file__).resolve().parents[1]


def placed(message, first):
    """The message with its line in the input. The text of the variant begins at line `first`."""
    if message.startswith("nowhere: "):
        return message.removeprefix("nowhere: ")
    line = re.match(r"[+-]?\d+(?=:)", message)
    if not line:
        return f"{first}: {message}"
    return f"{int(line[0]) + (first if line[0][0] in '+-' else 0)}{message[line.end():]}"


def variants(text):
    """(input, messages) of the bad input, or of the good one and of each variant. Good ones have no messages."""
    good, found, own, inside = [], [], [], False
    for line in text.split("\n"):
        mark = re.fullmatch(r"#(?:\+|\?(\d*))(?: (.*))?", line)
        if mark:
            start = len(good) - (0 if mark[1] is None else int(mark[1] or 1))
            if not inside:
                found.append((start, len(good), [], []))
            assert start == found[-1][0], line
            found[-1][2].extend([mark[2]] if mark[2] is not None else [])
        elif line.startswith("#! "):
            (found[-1][3] if found else own).append(line[3:])
        else:
            good.append(line)
        inside = bool(mark)
    assert bool(own) != bool(found), "messages, or a good input and variants"
    assert all(messages for *_, messages in found), "a variant without a message"
    return [("\n".join(good), own)] + [
        ("\n".join(good[:start] + lines + good[end:]),
         [placed(message, start + 1) for message in messages if message != "good"])
        for start, end, lines, messages in found]


def files(kind):
    """(name, its variants) of every file of a kind: cases, assemblies, sweeps or drives."""
    folder = TESTS / f"bad-{kind}"
    for path in sorted(folder.rglob("*.toml")):
        yield str(path.relative_to(folder).with_suffix("")), variants(path.read_bytes().decode())


def inputs(kind):
    """(name, input, messages) of every variant; its name ends with its number."""
    for name, found in files(kind):
        for number, (text, messages) in enumerate(found):
            yield f"{name}-{number}", text, messages
