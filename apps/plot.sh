#!/usr/bin/env bash
# Runs plot.py for `dem plot` with a Python that has matplotlib and h5py. Exit code 69 if there is none.
# LIBDEM_PYTHON names an interpreter to try first.
set -u
trap 'exit 130' INT
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure, $python is the list of tried interpreters from standard error.
if python=$(bash "$here/find-python.sh" h5py matplotlib numpy tomllib 2>&1); then
  trap '' INT  # a Python that is interrupted while it starts ends with a traceback; plot.py listens again at once
  exec "$python" -B "$here/plot.py" "$@"
fi
echo "dem plot: no Python 3.11 or newer with matplotlib and h5py among:$python" >&2
echo "Install them with:  apt-get install python3-matplotlib python3-h5py" >&2
echo "or name an interpreter that has them:  LIBDEM_PYTHON=/path/to/python3 dem plot ..." >&2
exit 69
