"""The program on case files: check, modes, and what it says to bad command lines."""
import json
import math
import os

import pytest
from conftest import example_of, gives, plotting, refuses, replaced, text, two_discs, write


def test_help_lists_codes_and_commands():
    gives(0, "--help", "0  good", "1  the run failed", "2  bad input", "3  file problem", "4  stopped by Ctrl-C",
          "5  the numbers", "run", "resume", "check", "info", "modes", "contact", "overlap", "plot", "help")


@pytest.mark.parametrize("commands", ["run resume check info modes contact overlap help completion",
                                      pytest.param("run plot", marks=plotting)])
def test_the_examples_of_the_help_work(commands):
    # In this order: resume goes on with the folder that run wrote.
    for command in commands.split():
        example = example_of(gives(0, f"{command} --help").out)
        assert example.startswith(f"{command} ")
        done = gives(0, example)
        assert done.out and not done.err


def test_modes_of_a_case():
    write("case.toml", """format = 1
material = {normal_stiffness = 400.0, tangential_stiffness = 100.0, friction = 0.5, restitution = 0.8}
time.step = 1e-4
assembly = {generator = "lattice", shape = "disc", columns = 4, rows = 4, radius = 0.505}
cell.periodic = ["x", "y"]
stage = [{duration = 1e-3}]
""")
    gives(0, "modes case.toml --output modes.csv", "48 coordinates of 16 bodies, 48 contacts", "omega (rad/s)")
    table = text("modes.csv")
    assert table.startswith("mode,frequency,period,damping_ratio,tangential_share,rotation_share\n1,0,inf,0,0,")
    assert table.count("\n") == 49
    gives(0, "modes apps/examples/two-discs.toml --set body.pushed.position=[0.7,0.7]",
          "2 coordinates of 2 bodies, 1 contact\n")
    gives(0, "modes case.toml --json", '"damping_ratio"', '"shape"', '"contacts"')
    gives(0, "modes case.toml --set assembly.radius=0.4", "no bodies touch")
    refuses(2, "modes case.toml --set assembly.columns=40 --set assembly.rows=40",
            "found 4800 coordinates that can move, allowed at most 3000")


@pytest.mark.parametrize("law", ["linear", "hooke-history"])
def test_modes_without_a_history(law):
    """A disc that cannot turn, beside a held one and below another. Across a contact only a true history has a spring.
    What the law keeps of one step is a dashpot k_t Δt."""
    write("case.toml", f"""format = 1
contact = {{law = "{law}", elongation = "velocity"}}
time.step = 1e-3
body = [{{shape = "disc", radius = 0.5, position = [0.0, 0.0], fixed = ["x", "y", "rotation"]}},
        {{shape = "disc", radius = 0.5, position = [0.999, 0.0], fixed = ["rotation"]}},
        {{shape = "disc", radius = 0.5, position = [0.999, 0.999], fixed = ["x", "y", "rotation"]}}]
stage = [{{name = "rest", duration = 1e-2}}]
[material]
density = 2.0
normal_stiffness = 900.0
tangential_stiffness = 400.0
friction = 0.5
normal_damping = 0.2
tangential_damping = 0.05
""")
    mass = 2 * math.pi * 0.25

    def modes(settings, k_t, gamma_t):
        found = json.loads(gives(0, f"modes case.toml --json {settings}").out)["modes"]
        omega = ((900 + k_t) / mass)**0.5  # the springs of both contacts, in x as in y
        assert [m["frequency"] for m in found] == pytest.approx([omega] * 2, rel=1e-12)
        damping = (0.2 + gamma_t) / (2 * omega * mass)
        assert [m["damping_ratio"] for m in found] == pytest.approx([damping] * 2, rel=1e-12)
        assert [m["tangential_share"] for m in found] == pytest.approx([k_t / (900 + k_t)] * 2, rel=1e-12)

    modes("", 400, 0.05)
    modes("--set contact.history=none", 0, 0.05)
    modes("--set contact.history=pseudo", 0, 0.05 + 400 * 1e-3)  # k_t Δt
    modes("--set stage.rest.history=none", 0, 0.05)


@pytest.mark.parametrize("arguments, begin", {
    "chek": "dem",
    "run --threads 0 x.toml": "dem",
    "help a b": "dem",
    "check --resolvd apps/examples/two-discs.toml": "dem",
    "rum apps/examples/two-discs.toml": "dem: unknown command 'rum'; did you mean run?\n",
    "qwertz": "dem: unknown command 'qwertz'\n",
    "run apps/examples/two-discs.toml --overwrit":
        "dem: unknown option --overwrit of dem run; did you mean --overwrite?\n",
    "overlap --fil-holes apps/examples/polygon-pairs.tsv":
        "dem: unknown option --fil-holes of dem overlap; did you mean --fill-holes?\n",
    "overlap --all-pair=x": "dem: unknown option --all-pair of dem overlap; did you mean --all-pairs?\n",
    "--verbose run x.toml": "dem: unknown option --verbose of dem\n",
    "": "dem: found no command, allowed those that dem --help lists, as in dem run CASE\nRun dem --help for",
    "run": "dem run: found no CASE, expected dem run CASE\nRun dem run --help for",
    "sweep time-steps": "dem sweep: SWEEP: found time-steps, which is no file; did you mean dem sweep time-step?\n",
    "sweep timestep x.toml": "dem sweep: SWEEP: found timestep, which is no file; did you mean dem sweep time-step?\n",
    "run x.toml --until-step ''": "dem run: --until-step: found an empty word, allowed a whole number >= 0",
    "sweep -o x time-step x.toml": "dem sweep time-step: time-step excludes --output",
    "sweep x.toml time-step x.toml": "dem sweep time-step: time-step excludes SWEEP",
    "sweep time-step": "dem sweep time-step: found no CASE, expected dem sweep time-step CASE\n",
    "overlap": "dem overlap: found none of FILE,--all-pairs, allowed exactly one\n",
    "overlap x.tsv --all-pairs y.tsv": "dem overlap: found 2 of FILE,--all-pairs, allowed exactly one\n",
    "run x.toml --threads abc": "dem run: --threads: found abc, allowed a whole number in [1, 1024]\n",
    "overlap x.tsv --geometry exat": "dem overlap: --geometry: found exat, allowed one of fast,exact\n",
    "run x.toml --set": "dem run: --set: found nothing after it, expected KEY=VALUE\n",
    "run x.toml y.toml": "dem run: found y.toml, expected no further argument\n",
    "check x.toml --steps 5": "dem check: --steps requires --objectivity\n",
}.items())
def test_bad_command_lines_and_misspelt_words(arguments, begin):
    assert gives(2, arguments).err.startswith(begin)


def test_the_version_and_missing_files():
    version = gives(0, "--version").out
    assert version.startswith("dem ") and "." in version
    for command in ("run no.toml", "check no.toml", "info no.toml", "resume no-folder", "info no-folder"):
        refuses(3, command, "no")


def test_check_inspects():
    write("short.toml", two_discs("1e-6", "5e-8"))
    gives(0, "check short.toml", "at most 5e-08 s = 1 step\n")  # a stage makes a step at least
    gives(0, "check apps/examples/slow-shear.toml", "free           256 bodies", "bottom-plate   16 bodies",
          "top-plate      16 bodies", "256: ", "time step      0.005 s", "σ/k_n = 0.001", "γ̇ t_c = ",
          "nothing was written")
    gives(0, "check --columns apps/examples/slow-shear.toml", "\nshear_ratio ",
          "\nsliding_fraction             1        fraction of contacts at the Coulomb limit\n")


def test_time_step_above_its_limit_is_refused_with_line_and_key():
    write("fast.toml", two_discs("1e-3"))
    for command in ("check fast.toml", "run fast.toml"):
        err = refuses(2, command, "fast.toml:9: time.step: found 0.001 s, allowed at most ",
                      "time.override_limit = true").err
        assert "largest stable time step" not in err  # the limit stands there once
        assert "restitution" not in err  # weakly damped
    # The step it proposes is accepted, and strong damping is named.
    weak = two_discs("1e-3")
    for case in (weak, replaced(weak, "restitution = 0.9", "restitution = 0.1")):
        write("fast.toml", case)
        err = refuses(2, "check fast.toml", "use time.step = ").err
        assert ("a higher restitution (less damping)" in err) == (case != weak)
        write("mended.toml", replaced(case, "1e-3", err.partition("use time.step = ")[2].partition(",")[0]))
        gives(0, "check mended.toml")
    assert not os.path.exists("results")


def test_start_overlaps_are_refused_with_the_bodies_and_all_are_counted():
    write("deep.toml", replaced(two_discs(), "[0.8, 0.6]", "[0.6, 0.6]"))
    refuses(2, "run deep.toml", "deep.toml", "'a'", "'b'", "largest_start_overlap")
    # Discs in a row, 0.9, 0.8, 0.7 and 0.6 diameters apart: four pairs beyond 5 %.
    discs = "".join(f'[[body]]\nshape = "disc"\nradius = 0.5\nposition = [{x}, 0.6]\n' for x in (1.7, 2.5, 3.2, 3.8))
    write("deep.toml", replaced(two_discs(), "[[stage]]", f"{discs}[[stage]]"))
    refuses(2, "check deep.toml",
            "at the start body 4 (group free) and body 5 (group free) overlap by 0.4 of the smaller diameter; "
            "assembly.largest_start_overlap allows 0.05 and 4 pairs exceed it, next body 3 (group free) and body 4 "
            "(group free) (0.3), body 2 (group free) and body 3 (group free) (0.2): move")
