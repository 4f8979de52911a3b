#!/usr/bin/env bash
# Installs what is missing (root or sudo), builds the preset `ci` (optimised, warnings are errors, benchmarks built) and runs
# all tests. Arguments go to ctest:
#
#   bash tests/run.sh [-R geometry]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash apps/install-packages.sh tests

log=build/ci/configure.log
mkdir -p build/ci
# dem-lammps is built and tested where the packages of apps/packages-lammps.txt are.
lammps=OFF
dpkg-query -W liblammps-dev libopenmpi-dev openmpi-bin >/dev/null 2>&1 && lammps=ON
cmake --preset ci -DLIBDEM_LAMMPS="$lammps" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build --preset ci --parallel "$(nproc)" -- --quiet
ctest --preset ci -j2 "$@"
