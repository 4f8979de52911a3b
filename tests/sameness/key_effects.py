#!/usr/bin/env python3
"""A key that a case accepts has an effect.

Every key, set to other values in cases of every kind, changes a hash, a file or a message.

    python3 tests/sameness/key_effects.py PROGRAM [--only REGEX] [--jobs N]

Prints each key that some case accepted without any effect, unless WITHOUT_EFFECT names it with a reason, and each key
that no case accepted. Exit code 1 if there is one.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import case_table  # noqa: E402
import recorder  # noqa: E402

#: Cases of every kind; each key is tried in all of them.
KINDS = ("linear.disc.free.gear5.velocity", "hooke-true.polygon.plates.gear5.geometric", "normal-force.exponent",
         "linear.polygon.free.gear5.geometric",
         "linear-refined.disc.cell.gear5.velocity", "hooke-true.disc.walls.gear5.velocity", "generator.random-discs",
         "generator.grades", "generator.power-law",
         "generator.by-mass", "generator.lattice", "generator.voronoi", "generator.spheres", "generator.clusters",
         "generator.rain", "materials.plane",
         "materials.space", "stage.cycles", "stage.until-target", "stage.until-target.cell", "stage.unbalanced",
         "stage.turn", "linear.cluster.free.gear5.velocity",
         "linear-refined.sphere.free.gear5.geometric", "jaeger.sphere.cell.gear5.geometric",
         "mindlin-none.sphere.free.gear5.geometric",
         "hertz-true.sphere.walls.gear5.geometric", "hooke-speed.sphere.free.gear5.geometric", "hertz.own-stiffness",
         "damping.plane.rates",
         "damping.space.coefficients", "stage.history.hooke", "box.servo", "box.plate-mass", "stage.height",
         "stage.quiet")
#: Those of the short form: one in the plane, one in space.
FEW_KINDS = ("hooke-true.polygon.plates.gear5.geometric", "stage.history.hooke")

#: Keys that may be without effect in a case that accepts them, and why.
WITHOUT_EFFECT = {
    "skin": "changes speed, never results",
    "threads": "changes speed, never results",
    "spatial_order_interval": "orders sums of assemblies that run longer",
    "output.checkpoint_interval": "time of the clock",
    "time.limit_check_interval": "the limit is far away",
    "time.override_limit": "the step is below its limit",
    "assembly.largest_start_overlap": "a bound of what is refused",
    "contact.fixed_mass": "only fixed bodies have it; a study gives it for all its cases, with and without such bodies",
    "stage.stress_hold_time": "plates that hold a stress keep it while until_target is switched off",
    "stage.name": "shows in messages, which not every run has",
    "body.shape": "a resolved case has a regular polygon by its vertices, so that the tool sets the shape that it had",
}


def keys_of(dem):
    """(section, key) of every row of the schema, once."""
    section, keys = "", []
    for line in recorder.call(dem, ".", "help", "keys")[1].splitlines():
        head = re.match(r"\[(\w+)\]|at the top", line)
        if head:
            section = head.group(1) or ""
        row = re.match(r"  (\w+) ", line)
        if row and (section, row.group(1)) not in keys:
            keys.append((section, row.group(1)))
    return keys


def values_for(dem, path, present):
    """Other values of a key, as TOML, likely ones first."""
    text = recorder.call(dem, ".", "help", path)[1]
    types, defaults = re.findall(r"type: +(.*)", text), re.findall(r"default: (.*)", text)
    allowed = " ".join(re.findall(r"allowed: (.*)", text))
    values = []
    for kind in types:
        if kind.startswith("true"):
            values += ["false", "true"]
        elif kind.startswith("choice"):
            values += re.findall(r'"[^"]+"', allowed)
        elif kind.startswith("list of words"):
            words = re.findall(r'"[^"]+"', allowed)
            values += [f"[{words[0]}]", f"[{', '.join(words[:2])}]", "[]", f"[{words[1]}]"]
        elif kind.startswith("whole"):
            values += [str(int(present) + 1) if present is not None and re.fullmatch(r"\d+", present) else "3", "2",
                       "6"]
        elif kind.startswith("number"):
            try:
                base = float(present)
            except (TypeError, ValueError):
                base = 0.0
            values += [repr(base * 1.25), repr(base * 0.9)] if base else []
            values += ["0.05", "0.5", "4.0", "-0.05", "40.0", "-40.0", "1e-5"]
        elif kind.startswith("text"):
            values += ['"left"', '"steel"', '"other"']
        elif kind.startswith("["):
            values += ["[0.1, 0.05, 0.02]", "[0.1, 0.05]", "[0.1, 0.0, 0.0]", "[30.0, 31.0, 32.0]", "[30.0, 31.0]",
                       "[0.9, 0.1, 0.1, 0.4]", "[0.5, 0.5, 0.5, 0.5]"]
        elif "name, " in kind:
            values += ['[["floor", [0.2, 0.1]]]', '[["floor", [0.2, 0.1, 0.0]]]']
        elif "list of [" in kind or "list of" in kind:
            values += ["[[0.0, 0.0, 0.0, 0.4], [0.2, 0.0, 0.0, 0.3]]", "[0.3, 0.45]",
                       "[[-0.4, -0.4], [0.5, -0.4], [0.3, 0.5]]", "[1.0, 3.0]", "[0.4, 0.6]"]
    return list(dict.fromkeys(value for value in values if value != present and (present or value not in defaults)))


class Effects:
    def __init__(self, dem, work, kinds):
        self.dem, self.work, self.kinds = dem, work, kinds
        self.cases = case_table.all_cases()
        self.before = {}

    def look(self, name, *settings):
        """Exit code and a sum of what a run leaves and says, without the case that it repeats and its fingerprint."""
        folder = tempfile.mkdtemp(dir=self.work)
        with open(f"{folder}/case.toml", "w", encoding="utf-8") as file:
            file.write(self.cases[name])
        arguments = [a for setting in settings for a in ("--set", setting)]
        try:
            code, out, err = recorder.call(self.dem, folder, "run", "case.toml", "--output", "out", *arguments,
                                           timeout=60)
        except subprocess.TimeoutExpired:  # a run of these cases takes a second: the key took its end
            shutil.rmtree(folder)
            return 0, "no end", ""
        bits, texts = {}, {}
        if os.path.isdir(f"{folder}/out"):
            recorder.results_of(f"{folder}/out", bits, texts)
        shutil.rmtree(folder)
        seen = {key: value for key, value in {**bits, **texts}.items() if key not in ("case.toml", "README.txt")
                and not key.endswith(("/header/case", ":case"))}
        return code, hashlib.sha256(repr((code, out, err, sorted(seen.items()))).encode()).hexdigest(), err

    def resolved(self, name):
        folder = tempfile.mkdtemp(dir=self.work)
        with open(f"{folder}/case.toml", "w", encoding="utf-8") as file:
            file.write(self.cases[name])
        return recorder.call(self.dem, folder, "check", "--resolved", "case.toml")[1]

    def start(self, name):
        if name not in self.before:
            self.before[name] = (self.look(name), self.resolved(name))
        return self.before[name]

    def try_key(self, section, key):
        """Kinds that accepted another value, each with whether any value had an effect."""
        path = f"{section}.{key}" if section else key
        found = {}
        for name in self.kinds:
            (_, sum_before, _), resolved = self.start(name)
            several = f"[[{section}]]" in resolved
            if section and not several and f"[{section}]" not in resolved:
                continue
            place = f"{section}[1].{key}" if several else path
            table = resolved.split(f"[{section}]")[1] if section else resolved
            given = re.search(rf"^{key} = (.*?)(?:  # .*)?$", table.split("\n[")[0], re.MULTILINE)
            accepted = False
            for value in values_for(self.dem, path, given.group(1) if given else None):
                code, after, _ = self.look(name, f"{place}={value}")
                if code in (2, 3):
                    continue
                accepted = True
                if after != sum_before:
                    found[name] = True
                    break
            else:
                if accepted:
                    found[name] = False
        return path, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="keys, as a regular expression")
    parser.add_argument("--few", action="store_true",
                        help="few kinds of cases; keys that none of them accepts are not told")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    choice = parser.parse_args()
    dem = os.path.abspath(choice.program)
    wrong, untried = [], []
    threads = concurrent.futures.ThreadPoolExecutor(choice.jobs)
    with tempfile.TemporaryDirectory(prefix="dem-keys-") as work, threads as pool:
        effects = Effects(dem, work, FEW_KINDS if choice.few else KINDS)
        list(pool.map(effects.start, effects.kinds))
        keys = [(s, k) for s, k in keys_of(dem) if re.search(choice.only, f"{s}.{k}" if s else k)]
        for path, found in pool.map(lambda pair: effects.try_key(*pair), keys):
            idle = [name for name, effect in found.items() if not effect]
            if not found and not choice.few:  # it needs a file, or other keys beside it: tests/bad-cases has those
                untried.append(path)
            if idle and path not in WITHOUT_EFFECT:
                others = len(found) - len(idle)
                wrong.append(f"{path}: accepted without an effect in {', '.join(idle)} (with one in {others} kinds)")
    print(f"{len(keys)} keys, {len(effects.kinds)} kinds of cases; wrong: {len(wrong) or 'none'}")
    if untried:
        print(f"no case accepted another value of {len(untried)} keys: {', '.join(untried)}")
    for line in wrong:
        print("  " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
