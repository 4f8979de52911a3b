#!/usr/bin/env bash
# What `dem plot` calls: plot.py with a Python that has matplotlib and h5py. Exit code 69 when there is none.
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure standard error, which is what was tried, takes the place of the interpreter.
if python=$(bash "$here/find-python.sh" h5py matplotlib numpy tomllib 2>&1); then
  exec "$python" -B "$here/plot.py" "$@"
fi
echo "dem plot: no Python 3.11 or newer with matplotlib and h5py among:$python" >&2
echo "Install them with:  apt-get install python3-matplotlib python3-h5py" >&2
echo "or name an interpreter that has them:  LIBDEM_PYTHON=/path/to/python3 dem plot ..." >&2
exit 69
