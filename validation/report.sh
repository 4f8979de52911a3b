#!/usr/bin/env bash
# The page of `dem validate`, or the pictures of full results, drawn by report.py with a Python that has matplotlib.
#   bash report.sh FIGURES.json PAGE.html
#   bash report.sh FIGURES.json --pictures FOLDER
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure standard error, which is what was tried, takes the place of the interpreter.
if python=$(bash "$here/../apps/find-python.sh" matplotlib numpy 2>&1); then
  exec "$python" "$here/report.py" "$@"
fi
echo "no Python with matplotlib among:$python" >&2
exit 69
