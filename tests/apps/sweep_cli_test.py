"""dem sweep and dem sweep time-step as a user meets them."""
import os

import pytest
from conftest import example_of, dem, gives, has, refuses, text, two_discs, write

SWEEP = """format = 1
title = "friction"
case = "two.toml"
axis = [{key = "material.friction", values = [0.1, 0.2, 0.4]},
        {key = "contact.elongation", values = ["geometric", "velocity"]}]
[[quantity]]
kind = "final"
column = "b_x"
"""


@pytest.fixture
def sweep(two):
    write("sweep.toml", SWEEP)


def test_a_sweep_leaves_table_plot_and_journal_and_goes_on(sweep):
    run = gives(0, "sweep sweep.toml", "friction: 6 points", "results/sweep/table.csv")
    assert {"table.csv", "table.h5", "journal", "sweep.toml", "case.toml"} <= {*os.listdir("results/sweep")}
    assert ("No plot" in run.out) != os.path.exists("results/sweep/plot.svg")
    refuses(0, "sweep sweep.toml --workers 1", "6 done, all earlier")
    write("sweep.toml", SWEEP + 'stage = ""\nname = "x"\n')
    refuses(3, "sweep sweep.toml", "--overwrite replaces them")
    gives(0, "sweep sweep.toml --overwrite")
    # A missing Python only costs the plot.
    gives(0, "sweep sweep.toml -o out", "No plot: it needs Python with matplotlib and h5py. Later: dem plot out\n",
          before="PATH=/nowhere")
    assert os.path.exists("out/table.csv")


def test_bad_sweeps_end_with_codes_and_sentences(sweep):
    write("bad.toml", """format = 1
case = "two.toml"
[[axis]]
key = "material.fricton"
values = [0.1]
[[quantity]]
kind = "final"
""")
    refuses(2, "sweep bad.toml", 'bad.toml:4: axis[1].key: found "material.fricton", allowed a key of the case (dem '
            "help); nearest known key: material.friction", "bad.toml:6: quantity[1].column: found nothing")
    assert not os.path.exists("results")
    gives(3, "sweep nowhere.toml")
    gives(2, "sweep")
    write("fail.toml", """format = 1
case = "two.toml"
axis = [{key = "time.step", values = [1.0, 2.0]}]
quantity = [{kind = "final", column = "b_x"}]
""")
    gives(1, "sweep fail.toml", "2 of 2 points could not be run", "No plot; the reason: dem plot results/fail\n")
    refuses(3, "plot results/fail", "is a sweep without a value to draw; results/fail/table.csv says why")
    has(text("results/fail/table.csv"), "time.step: found 1 s, allowed at most")


def test_ctrl_c_keeps_what_is_done(sweep):
    write("two.toml", two_discs("1e-7", "1.0"))
    # timeout signals the sweep and at once the whole group: one request. The sweep ends its workers.
    # 124 is the code of timeout, which says that it had to.
    refuses(124, "sweep sweep.toml", "interrupted: 0 of 6 are done and kept, ",
            " stopped with a checkpoint; the same command goes on there", before="timeout --signal=INT 1")
    assert not os.path.exists("results/sweep/table.csv")
    has(dem('sweep sweep.toml & pid=$!; sleep 1; kill -TERM $pid; wait $pid; echo "code $?"').out, "code 4")


def test_the_examples_of_the_help_work():
    assert example_of(dem("sweep --help").out) == (
        "sweep apps/examples/time-step-sweep.toml --output results/time-step-sweep")
    gives(0, "check apps/examples/two-discs.toml")
    example = example_of(dem("sweep time-step --help").out)
    has(example, "sweep time-step apps/examples/two-discs.toml")
    gives(0, f"{example} --from 1e-5", "No dependence on the time step", "Stability limit by runs",
          "Use time.step = ")
    has(text("results/two-discs-time-step/report.txt"), "Use time.step = ")
    write("two.toml", two_discs())
    refuses(3, "sweep time-step two.toml -o results/two-discs-time-step", "--overwrite replaces them")
    gives(3, "sweep time-step two.toml -o .")  # a folder of something else
    for option in ("--quantity nonsense", "--replicates 3"):
        gives(2, f"sweep time-step apps/examples/two-discs.toml {option} -o n")
