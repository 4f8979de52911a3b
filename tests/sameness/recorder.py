"""What a build of `dem` answers to the cases of the proof of sameness: a record of bits and of texts.

Bits are what no refactoring may change: state hashes, checksums of every column of series, profiles and snapshots, the
resolved case, pictures and files for ParaView. Texts are messages, reports and descriptions of columns.
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import signal
import subprocess
import time

import h5py
import numpy

import case_table

#: Differences between two runs of one build: times of the clock, rates, memory and disk as the machine has them.
VOLATILE = [
    (re.compile(r"\b\d+(\.\d+)?(e[+-]?\d+)? (s|min|h|ms|µs|us|ns|d)\b(?! of simulated)"), "<time>"),
    (re.compile(r"\b\d+(\.\d+)? (GB|MB|kB|bytes)\b"), "<size>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT?[ \d:]*Z?\b"), "<date>"),
]


def checksum(data):
    return hashlib.sha256(data).hexdigest()[:16]


def steady(text, folder, dem):
    """The text without times and paths."""
    text = text.replace(dem, "dem").replace(str(folder) + "/", "").replace(str(folder), ".")
    # Which lines of progress appear, and what a trial of some steps says of the time to expect, depends on the clock.
    text = re.sub(r"^(stage .* steps/s,|  time  .*(steps on|unknown)).*\n?", "", text, flags=re.MULTILINE)
    for pattern, word in VOLATILE:
        text = pattern.sub(word, text)
    return text


def call(dem, folder, *arguments, text_in=None, timeout=300):
    """Exit code, standard output and standard error of a command in a folder. TimeoutExpired after so many seconds."""
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", LC_ALL="C.UTF-8")
    done = subprocess.run([dem, *arguments], cwd=folder, capture_output=True, input=text_in, timeout=timeout,
                          env=environment)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    return done.returncode, steady(out, folder, dem), steady(err, folder, dem)


def attributes(item):
    return {key: str(item.attrs[key]) for key in sorted(item.attrs)}


def bytes_of(item):
    """What a dataset holds; texts without what differs from run to run."""
    if h5py.check_string_dtype(item.dtype) is None:
        return numpy.asarray(item[()]).tobytes()
    texts = numpy.atleast_1d(item.asstr()[()])
    return steady("\n".join(map(str, texts.ravel())), os.path.dirname(os.path.dirname(item.file.filename)),
                  "dem").encode()


def columns_of(files, bits, texts, name):
    """Checksums of the columns of segments that continue each other, and their descriptions."""
    parts = {}
    for path in files:
        with h5py.File(path, "r") as segment:
            segment.visititems(lambda key, item: parts.setdefault(key, []).append(
                (bytes_of(item), str(item.dtype), attributes(item))) if isinstance(item, h5py.Dataset) else None)
    for key, pieces in parts.items():
        bits[f"{name}/{key}"] = pieces[0][1] + " " + checksum(b"".join(piece[0] for piece in pieces))
        texts[f"{name}/{key}"] = repr(pieces[0][2])


def results_of(folder, bits, texts):
    """Everything that a results folder holds."""
    for kind in ("series", "profiles", "plane_jumps"):
        columns_of(sorted(glob.glob(f"{folder}/{kind}/*.h5")), bits, texts, kind)
    for path in sorted(glob.glob(f"{folder}/snapshots/*.h5")):
        columns_of([path], bits, texts, "snapshots/" + os.path.basename(path))
    for path in sorted(glob.glob(f"{folder}/frames/*") + glob.glob(f"{folder}/paraview/**/*", recursive=True)
                       + glob.glob(f"{folder}/*.csv")):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                bits[os.path.relpath(path, folder)] = checksum(file.read())
    for name in ("case.toml", "README.txt", "verdict.txt", "verdict.json"):
        path = f"{folder}/{name}"
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                (bits if name == "case.toml" else texts)[name] = steady(file.read(), folder, "dem")
    for path in sorted(glob.glob(f"{folder}/*")):
        bits.setdefault("folder", []).append(os.path.basename(path))


def hash_in(text):
    found = re.findall(r"State hash ([0-9a-f]{16}) at step (\d+)", text)
    return " at step ".join(found[-1]) if found else "none"


class Recorder:
    def __init__(self, dem, work, jobs):
        self.dem, self.work, self.jobs = str(dem), str(work), jobs

    def folder(self, name):
        path = os.path.join(self.work, name.replace("/", "_"))
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def write(self, folder, text):
        with open(f"{folder}/case.toml", "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, name, text):
        """A case: checked, resolved, run on one thread."""
        folder = self.folder(name)
        self.write(folder, text)
        bits, texts = {}, {}
        for key, arguments in (("check", ["check", "case.toml"]), ("resolved", ["check", "--resolved", "case.toml"]),
                               ("run", ["run", "case.toml", "--output", "out"])):
            code, out, err = call(self.dem, folder, *arguments)
            bits[key + " exit code"] = code
            (bits if key == "resolved" else texts)[key] = out
            texts[key + " errors"] = err
            if key == "run":
                bits["hash"] = hash_in(out)
        if os.path.isdir(f"{folder}/out"):
            results_of(f"{folder}/out", bits, texts)
            code, out, err = call(self.dem, folder, "info", "out")
            texts["info"] = out + err
        return name, dict(bits=bits, texts=texts)

    def again(self, name, text, kind):
        """The same case on three threads, interrupted and resumed, or as the start of another run, which is interrupted
        as well: bits only."""
        folder = self.folder(f"{name}.{kind}")
        bits = {}
        self.write(folder, text)
        if kind == "threads":
            code, out, _ = call(self.dem, folder, "run", "case.toml", "--output", "out", "--set", "threads=3")
        elif kind == "resumed":
            code, out, bits["interrupted"] = self.interrupt(folder, text)
        else:
            code, out, bits["differs when resumed"] = self.start_and_resume(folder, text)
        bits.update({"exit code": code, "hash": hash_in(out)})
        columns_of(sorted(glob.glob(f"{folder}/out/series/*.h5")), bits, {}, "series")
        shutil.rmtree(folder)
        return f"{name}.{kind}", dict(bits=bits, texts={})

    def start_and_resume(self, folder, text):
        """A run that starts from another one. Then the same, stopped half-way and resumed without the start's folder.
        Returns what of the two differs, five things at most."""
        _, out, _ = call(self.dem, folder, "run", "case.toml", "--output", "first")
        start = int(hash_in(out).split()[-1])
        self.write(folder, text.replace("format = 1\n", "format = 1\nstart_from = \"first\"\n", 1))
        code, out, _ = call(self.dem, folder, "run", "case.toml", "--output", "out")
        middle = (start + int(hash_in(out).split()[-1])) // 2
        call(self.dem, folder, "run", "case.toml", "--output", "again", "--until-step", str(middle))
        os.rename(f"{folder}/first", f"{folder}/away")
        call(self.dem, folder, "resume", "again")
        found = []
        for results in ("out", "again"):
            bits, texts = {}, {}
            results_of(f"{folder}/{results}", bits, texts)
            found.append(bits | {"verdict.txt": texts.get("verdict.txt", "").replace("again", "out")})
        return code, out, [key for key in sorted(set(found[0]) | set(found[1]))
                           if found[0].get(key) != found[1].get(key) and key != "folder"][:5]

    def interrupt(self, folder, text):
        """Interrupts a run after its first checkpoint and resumes it; returns whether that was before its end."""
        self.write(folder, text.replace("[output]\n", "[output]\ncheckpoint_interval = 0.01\n", 1))
        for attempt in range(8):
            shutil.rmtree(f"{folder}/out", ignore_errors=True)
            program = subprocess.Popen([self.dem, "run", "case.toml", "--output", "out"], cwd=folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while program.poll() is None and not glob.glob(f"{folder}/out/checkpoint*"):
                time.sleep(0.001)
            if program.poll() is None:
                program.send_signal(signal.SIGINT)
            program.wait()
            code, out, _ = call(self.dem, folder, "resume", "out")
            if "State hash" in out and "already" not in out:
                return code, out, True
        return code, out, False

    def bad(self, name, text):
        """A bad case: exit code and message."""
        folder = self.folder("bad." + name)
        self.write(folder, text)
        code, out, err = call(self.dem, folder, "check", "case.toml")
        shutil.rmtree(folder)
        return "bad." + name, dict(bits={"exit code": code}, texts={"errors": err, "check": out if code == 0 else ""})

    def help(self):
        """What `dem help` says of every key and word."""
        texts = {"help": "".join(call(self.dem, self.work, "help")[1:])}
        for words in (["keys"], ["topics"]):
            texts["help " + words[0]] = "".join(call(self.dem, self.work, "help", *words)[1:])
        texts["manual"] = "".join(call(self.dem, self.work, "help", "--man")[1:])
        return "help", dict(bits={}, texts=texts)

    def all(self, cases, bad_inputs, with_help, say):
        """The record: name -> {bits, texts}."""
        os.makedirs(self.work, exist_ok=True)
        record = {}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            tasks = [pool.submit(self.run, name, text) for name, text in cases.items()]
            for name, text in cases.items():
                kinds = dict(threads=case_table.is_threaded(name), resumed=name in case_table.INTERRUPTED,
                             started=name in case_table.STARTED_FROM)
                tasks += [pool.submit(self.again, name, text, kind) for kind, wanted in kinds.items() if wanted]
            tasks += [pool.submit(self.bad, name, text) for name, text in bad_inputs.items()]
            tasks += [pool.submit(self.help)] * with_help
            for done, task in enumerate(concurrent.futures.as_completed(tasks)):
                name, found = task.result()
                record[name] = found
                say(done + 1, len(tasks))
        return record
