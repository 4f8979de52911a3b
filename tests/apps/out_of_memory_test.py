"""Where memory runs out, the program prints one sentence and ends with a code of its own.

That holds before main, in HDF5 and at the end."""
import shutil

from conftest import dem, gives, two_discs, unsanitized, write


def within(arguments, kilobytes):
    return dem(arguments, f"ulimit -c 0; ulimit -v {kilobytes};")


@unsanitized
def test_one_sentence_and_a_clean_end_for_any_room():
    write("two.toml", two_discs("1e-6", "3e-4", "[output]\nseries_interval = 1e-6\n"))
    gives(0, "run two.toml -o out --until-step 100")
    # Below this the system cannot load the program, or libraries complain before it begins.
    least = next(room for room in range(4000, 1000000, 1000)
                 if (ran := within("--version", room)).code == 0 and not ran.err)
    failed = 0
    for command in ("check two.toml", "info out", "info --csv out", "run two.toml -o new --overwrite", "resume again"):
        good = 0
        for room in (*range(least, least + 7000, 250), *range(least + 7000, least + 61000, 1000)):
            if command.startswith("resume"):
                shutil.rmtree("again", ignore_errors=True)
                shutil.copytree("out", "again")
            ran = within(command, room)
            good = good + 1 if ran.code == 0 else 0
            if good == 3:
                break
            if ran.code == 0 or "error while loading" in ran.err or "GnuTLS" in ran.err:  # before the program begins
                continue
            failed += 1
            assert (ran.code, ran.err.count("\n")) == (1, 1) and "out of memory" in ran.err, f"{command}, {room}: {ran}"
        assert good == 3, command
    assert failed > 3
