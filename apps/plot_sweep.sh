#!/usr/bin/env bash
# The plot of a sweep, drawn by plot_sweep.py with a Python that has matplotlib and h5py.
#   bash apps/plot_sweep.sh FOLDER
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure standard error, which is what was tried, takes the place of the interpreter.
if python=$(bash "$here/find-python.sh" h5py matplotlib numpy 2>&1); then
  exec "$python" "$here/plot_sweep.py" "$@"
fi
echo "plot_sweep.sh: no Python with matplotlib and h5py among:$python" >&2
echo "Install them with:  apt-get install python3-matplotlib python3-h5py" >&2
exit 69
