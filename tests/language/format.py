#!/usr/bin/env python3
"""Checks that all C++ files of the repository have the format of `.clang-format` (version 14, as in Debian 12).

  format.py          names the files that differ; exit code 1 where there are any, 77 without clang-format 14
  format.py --fix    formats them
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else "none"
    if " 14." not in version:
        print(f"skipped: needs clang-format 14, found {version.strip()}")
        return 77
    if not (ROOT / ".git").exists():
        print("skipped: not a working copy of git, which lists the files")
        return 77
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.cpp", "*.hpp"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.split()
    files = [f for f in listed if (ROOT / f).exists()]
    if "--fix" in sys.argv:
        subprocess.run([program, "-i", *files], cwd=ROOT, check=True)
    done = subprocess.run([program, "--dry-run", *files], cwd=ROOT, capture_output=True, text=True)
    differ = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    for name in differ:
        print(f"{name}: not formatted; run tests/language/format.py --fix")
    if done.returncode != 0:
        print(done.stderr)
    if not differ and done.returncode == 0:
        print(f"{len(files)} files have the format of .clang-format")
    return int(bool(differ) or done.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
