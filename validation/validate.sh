#!/usr/bin/env bash
# Runs validate.py for `dem validate` with a Python that has numpy. Exit code 3 if there is none.
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure, $python is the list of tried interpreters from standard error.
if python=$(bash "$here/../apps/find-python.sh" numpy tomllib 2>&1); then
  exec "$python" -B "$here/validate.py" "$@"
fi
echo "dem validate: no Python 3.11 or newer with numpy among:$python" >&2
echo "Install it with:  apt-get install python3-numpy python3-matplotlib python3-h5py" >&2
echo "or name an interpreter that has it:  LIBDEM_PYTHON=/path/to/python3 dem validate ..." >&2
exit 3
