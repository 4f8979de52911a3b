#!/bin/bash
# Runs clang-tidy with the checks of .clang-tidy over geometry, libdem and apps. Takes about ten minutes on two cores.
# Its packages: bash apps/install-packages.sh tidy
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v run-clang-tidy > /dev/null || ! command -v clang++ > /dev/null; then
  echo "clang-tidy is missing; install it with: bash apps/install-packages.sh tidy" >&2
  exit 2
fi
cmake -B build/tidy -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=clang++ -D LIBDEM_TOGETHER=OFF -D CMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
run-clang-tidy -quiet -p build/tidy "$PWD/(geometry|libdem|apps)/"
echo "clang-tidy finds nothing"
