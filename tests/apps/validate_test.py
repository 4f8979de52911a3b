"""dem validate through its command line."""
import json
import os

import pytest
from conftest import gives, has, refuses, text, write


@pytest.mark.parametrize("words, environment, code, parts", [
    ("pena2008/figur-3", "", 2, ("unknown study 'pena2008/figur-3'", "pena2008/two-discs")),
    ("--workers 0", "", 2, ()),
    ("--quik", "", 2, ()),
    ("pena2008/elongation --quick --output file", "", 3, ("file",)),
    ("--quick", "LIBDEM_VALIDATION=/nowhere", 3, ("LIBDEM_VALIDATION",)),
])
def test_refused_command_lines(words, environment, code, parts):
    write("file", "")
    refuses(code, f"validate {words}", *parts, before=environment)
    assert not os.path.exists("validation-results")


def test_the_list():
    gives(0, "validate --list", "pena2008/two-discs", "pena2008/elongation")
    assert not os.path.exists("validation-results")


def test_one_study_in_a_folder_with_spaces():
    done = gives(0, "validate pena2008/elongation --quick --output 'my results/a'", "1 study, quick set: about")
    assert len(json.loads(text("my results/a/claims.json"))) >= 2
    if "python3-matplotlib" in done.out:
        pytest.skip("the page is not tested: there is no Python with matplotlib")
    has(text("my results/a/report.html"), "<svg", "dem validate pena2008/elongation --quick")
