#!/usr/bin/env python3
"""Test of the proof of sameness: it finds a changed bit, a changed word and a lost case; silent where all is equal.

    python3 tests/sameness/self_test.py PROGRAM
"""
import json
import os
import subprocess
import sys
import tempfile

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
ONLY = r"^(linear\.disc\.plates\.velocity-verlet\.geometric|stage\.turn|bad\.lattice)"


def compare(*arguments):
    done = subprocess.run([sys.executable, COMPARE, "--only", ONLY, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout


def main():
    dem = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        old, new = f"{folder}/old.json", f"{folder}/new.json"
        code, out = compare(dem, "--save", old)
        assert code == 0, out
        code, out = compare(old, dem)
        assert code == 0 and "Lines of texts that changed: none" in out, out
        with open(old, encoding="utf-8") as file:
            record = json.load(file)
        assert len(record) >= 5, sorted(record)

        def with_change(change):
            copy = json.loads(json.dumps(record))
            change(copy)
            with open(new, "w", encoding="utf-8") as file:
                json.dump(copy, file)
            return compare(old, new), compare(old, new, "--texts")

        def bit(copy):
            copy["stage.turn"]["bits"]["series/kinetic_energy"] = "float64 0"

        def word(copy):
            copy["bad.lattice-1"]["texts"]["errors"] += "more\n"

        def threads(copy):
            copy["stage.turn.threads"]["bits"]["hash"] = "0"

        def lost(copy):
            del copy["stage.turn"]

        for change, codes, says in ((bit, (1, 1), "series/kinetic_energy"), (word, (0, 1), "+more"),
                                    (lost, (1, 1), "only in the old record"),
                                    (threads, (1, 1), "on one thread and without a break")):
            (plain, out), (strict, _) = with_change(change)
            assert (plain, strict) == codes and says in out, (change.__name__, plain, strict, out)


if __name__ == "__main__":
    main()
