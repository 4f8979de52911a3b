#!/usr/bin/env bash
# Runs plot.py with a Python that has matplotlib and h5py.
#   bash apps/plot.sh DIR [DIR...] --output FOLDER
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure standard error, which is what was tried, takes the place of the interpreter.
if python=$(bash "$here/find-python.sh" h5py matplotlib numpy 2>&1); then
  exec "$python" "$here/plot.py" "$@"
fi
echo "plot.sh: no Python with matplotlib and h5py among:$python" >&2
echo "Install them with:  apt-get install python3-matplotlib python3-h5py" >&2
echo "or name an interpreter that has them:  LIBDEM_PYTHON=/path/to/python3 bash apps/plot.sh ..." >&2
exit 69
