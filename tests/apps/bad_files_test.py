"""Every file of tests/bad-cases, bad-assemblies, bad-sweeps and bad-drives has exactly the messages that it names.

Whoever adds a key or a check adds a bad input there. tests/sameness/bad_inputs.py has the form of the files."""
import re
import sys

import pytest
from conftest import ROOT, dem, gives, line_with, replaced, text, write
from contact_test import GLOBAL_HEADER, HEADER
from help_test import reference

sys.path.append(str(ROOT / "tests/sameness"))
import bad_inputs  # noqa: E402

COMMANDS = {"cases": "check --resolved", "assemblies": "check", "sweeps": "sweep", "drives": "contact"}


def fits(expected, found):
    """<any> stands for a list that grows with every new column."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("<any>"))), found)


@pytest.mark.parametrize("kind, inputs", [
    pytest.param(kind, found, id=f"{kind}-{name}") for kind in COMMANDS for name, found in bad_inputs.files(kind)])
def test_messages(kind, inputs):
    write("path.csv", HEADER + "1e-3,0,0\n")
    write("path-in-space.csv", GLOBAL_HEADER + "1e-3,0,0,1,0,0,0,0,0,0,0,0,0\n")
    shear, discs = [text(f"apps/examples/{name}.toml") for name in ("slow-shear", "two-discs")]
    write("packing.toml", shear)
    write("verlet.toml", replaced(shear, "gear5", "velocity-verlet"))
    write("fine.toml", replaced(shear, "step = 0.005", "step = 0.0025"))
    write("started.toml", 'start_from = "there"\n' + shear)
    write("bad-case.toml", replaced(discs, "friction = 500.0", "friction = -1"))
    write("grains.tsv", "7\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n")
    laws = line_with(gives(0, "help contact.law").out, "one of ").removeprefix("one of ")
    for bad, messages in inputs:
        if kind == "sweeps" and not messages:
            continue  # it would run
        write("bad.toml", bad)
        ran = dem(f"{COMMANDS[kind]} bad.toml")
        found = [re.sub("^.*?bad.toml:? ?", "", line) for line in ran.err.splitlines()]
        expected = [message.replace("<laws>", laws) for message in messages]
        assert ran.code == (2 if messages else 0) and not (messages and ran.out), (bad, ran)
        assert len(found) == len(expected) and all(map(fits, expected, found)), (bad, found, expected)


def test_each_vector_of_a_case_in_space_is_refused_with_two_numbers():
    all_messages = [message for _, _, messages in bad_inputs.inputs("cases") for message in messages]
    assert len(all_messages) >= 340
    vectors = [(table, key) for table, key, _, kind, _ in reference() if "[x, y, z]" in kind or kind == "[xy, xz, yz]"]
    assert len(vectors) >= 17
    for table, key in vectors:
        place = re.compile(rf": {table}(\[\d\])?\.?{key}: .*three numbers")
        assert any(place.search(message) for message in all_messages), key
