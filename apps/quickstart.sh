#!/usr/bin/env bash
# Leads from a fresh Debian 12 to a picture of slowly sheared polygons with two definitions of the contact plane.
# Installs missing packages (root or sudo), builds the program, runs both cases at once and plots them into one figure.
# Then it builds the Python module.
#
#   bash apps/quickstart.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash apps/install-packages.sh

# Runs a command with its output in a log, which is shown only if the command fails.
quietly() {
  local log=build/release/quickstart.log
  mkdir -p build/release
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; echo "quickstart: '$*' failed; all of its output is in $log" >&2; exit 1; }
}
echo "Building libdem (some minutes the first time)"
# The tests have a build of their own (tests/run.sh).
quietly cmake --preset release -D LIBDEM_TESTS=OFF
quietly cmake --build --preset release --target dem --parallel "$(nproc)"

cases=(slow-shear slow-shear-edge-mean)
run() {
  build/release/apps/dem run "apps/examples/$1.toml" --output "results/$1" --overwrite
}
echo
echo "Running apps/examples/${cases[0]}.toml, and ${cases[1]}.toml beside it"
run "${cases[1]}" >build/release/quickstart.log 2>&1 & beside=$!
trap 'kill $beside 2>/dev/null || true' EXIT  # Ctrl-C stops both
run "${cases[0]}"
echo
echo "apps/examples/${cases[1]}.toml:"
wait $beside || { cat build/release/quickstart.log >&2; exit 1; }
cat build/release/quickstart.log

echo
build/release/apps/dem plot "${cases[@]/#/results/}" --output results/figures

echo
echo "The assemblies:"
for case in "${cases[@]}"; do
  last=$(find "results/$case" -name '*.svg' | sort | tail -n 1)
  [ -z "$last" ] || echo "  $last (the assembly at the end; more beside it)"
done

echo
echo "Building the Python module (apps/python/README.md)"
quietly cmake --build --preset release --target programs --parallel "$(nproc)"
