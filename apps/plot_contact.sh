#!/usr/bin/env bash
# Draws a driven contact by plot_contact.py with a Python that has matplotlib.
#   dem contact DRIVE.toml | bash apps/plot_contact.sh FILE.svg
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure, $python is the list of tried interpreters from standard error.
if python=$(bash "$here/find-python.sh" matplotlib numpy 2>&1 </dev/null); then
  exec "$python" "$here/plot_contact.py" "$@"
fi
echo "plot_contact.sh: no Python with matplotlib among:$python" >&2
echo "Install it with:  apt-get install python3-matplotlib" >&2
exit 69
