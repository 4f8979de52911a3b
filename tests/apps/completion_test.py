"""Completion of shells and the manual page: made of the same options and keys that the program takes."""
import shutil
import subprocess

import pytest
from conftest import gives, write

ASK = """source dem.bash
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_dem
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(*words):
    """The words that bash offers at the end of the line. The last word of the line is begun, or empty."""
    done = subprocess.run(["bash", "-c", ASK, "ask", "dem", *words], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def test_bash_completes_commands_options_keys_and_words():
    write("dem.bash", gives(0, "completion bash").out)
    assert {"run", "resume", "check", "info", "contact", "import", "overlap", "sweep", "help", "completion"} <= {
        *offered("")}
    options = offered("run", "case.toml", "--")
    assert {"--output", "--overwrite", "--threads", "--set", "--quiet", "--json"} <= {*options}
    assert "--resolved" not in options
    for words, only in (("ru", "run"), ("check --resol", "--resolved"), ("help velocity-v", "velocity-verlet"),
                        ("run case.toml --set material.rest", "material.restitution="),
                        # A file name follows: bash's own completion.
                        ("run ", ""), ("run case.toml --output ", "")):
        assert offered(*words.split(" ")) == [only]
    for words, one in (("help material.rest", "material.restitution"), ("overlap --geometry ", "exact"),
                       ("sweep time-step --", "--halvings"), ("sweep ", "time-step"), ("completion ", "zsh")):
        assert one in offered(*words.split(" "))


@pytest.mark.parametrize("shell, begin", [("fish", "complete -c dem -n __fish_use_subcommand -f -a run -d "),
                                          ("zsh", "#compdef dem\n")])
def test_scripts_of_other_shells(shell, begin):
    script = gives(0, f"completion {shell}", begin).out
    assert script.startswith("#compdef") == (shell == "zsh")
    gives(2, "completion csh")
    if shutil.which(shell):
        write("script", script)
        subprocess.run([shell, "-n", "script"], check=True)


def test_the_manual_page():
    page = gives(0, "help --man", ".TH DEM 1 ", ".SS dem run\n", ".SS dem sweep time\\-step\n",
                 "\\fB\\-\\-overwrite\\fR", ".SH EXIT STATUS\n", ".SS [material]\n", "\\fBrestitution\\fR",
                 "format = 1\n")
    assert page.out.isascii()
    if not shutil.which("groff"):
        pytest.skip("no groff")
    assert gives(0, "help --man >dem.1 && groff -man -Tutf8 -ww dem.1", "Peña", "γ").err == ""
