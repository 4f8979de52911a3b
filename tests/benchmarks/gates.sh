#!/usr/bin/env bash
# Runs the benchmarks of a build folder and compares the ratios that hold on any machine with their limits.
#
#   bash tests/benchmarks/gates.sh build/ci
set -euo pipefail
build=${1:?usage: bash tests/benchmarks/gates.sh BUILD_FOLDER}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in overlap_benchmark step_benchmark; do
  "$build/tests/benchmarks/$program" --benchmark_repetitions=3 --benchmark_out="$folder/$program.json" --benchmark_out_format=json >/dev/null 2>&1
done
python3 - "$folder" <<'PYTHON'
import json, pathlib, sys

runs = {}
for file in pathlib.Path(sys.argv[1]).glob("*.json"):
    for b in json.loads(file.read_text())["benchmarks"]:
        if b.get("aggregate_name") == "median":
            runs[b["run_name"]] = b
step = lambda shape, bodies: runs[f"hexagon_step/{shape}"]["cpu_time"] / bodies
gates = [
    ("exact Boolean / fast overlap", runs["boolean_over_fast"]["boolean_over_fast"], ">=", 60),
    ("clips per polygon-step", runs["hexagon_step_in_clips"]["clips_per_polygon_step"], "<=", 6),
    ("polygon-step, 10 000 / 256 polygons", step("100/100", 10000) / step("16/16", 256), "<=", 1.5),
]
failed = False
for name, value, sense, limit in gates:
    good = value >= limit if sense == ">=" else value <= limit
    failed |= not good
    print(f"{'ok    ' if good else 'MISSED'}  {name}: {value:.3g} (limit {sense} {limit})")
sys.exit(failed)
PYTHON
