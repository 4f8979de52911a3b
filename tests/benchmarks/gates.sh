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
"$build/tests/benchmarks/sphere_benchmark" --benchmark_filter='sphere_step/0/[0-4]/iter' --benchmark_out="$folder/sphere_benchmark.json" --benchmark_out_format=json >/dev/null 2>&1
python3 - "$folder" <<'PYTHON'
import json, pathlib, sys

runs, least = {}, {}
for file in pathlib.Path(sys.argv[1]).glob("*.json"):
    for b in json.loads(file.read_text())["benchmarks"]:
        if b.get("aggregate_name") == "median":
            runs[b["run_name"]] = b
        if b.get("aggregate_name") == "min":  # of sphere_benchmark
            least[b["run_name"]] = b
step = lambda shape, bodies: runs[f"hexagon_step/{shape}"]["cpu_time"] / bodies
sphere = lambda variant: least[f"sphere_step/0/{variant}/iterations:300/repeats:3"]["fastest_20"]
gates = [
    ("exact Boolean / fast overlap", runs["boolean_over_fast"]["boolean_over_fast"], ">=", 60),
    ("clips per polygon-step", runs["hexagon_step_in_clips"]["clips_per_polygon_step"], "<=", 6),
    ("polygon-step, 10 000 / 256 polygons", step("100/100", 10000) / step("16/16", 256), "<=", 1.5),
    ("spheres: Gear / velocity Verlet", sphere(1) / sphere(0), "<=", 1.5),
    ("spheres: ledger on / off", sphere(2) / sphere(0), "<=", 1.4),
    ("spheres: elongation geometric / velocity", sphere(3) / sphere(0), "<=", 1.8),
    ("spheres: linear-refined / linear", sphere(4) / sphere(0), "<=", 1.6),
]
failed = False
for name, value, sense, limit in gates:
    good = value >= limit if sense == ">=" else value <= limit
    failed |= not good
    print(f"{'ok    ' if good else 'MISSED'}  {name}: {value:.3g} (limit {sense} {limit})")
sys.exit(failed)
PYTHON
