#!/usr/bin/env bash
# The picture of a driven contact, drawn by plot_contact.py with a Python that has matplotlib.
#   dem contact DRIVE.toml | bash apps/plot_contact.sh FILE.svg
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# On failure standard error, which is what was tried, takes the place of the interpreter.
if python=$(bash "$here/find-python.sh" matplotlib numpy 2>&1 </dev/null); then
  exec "$python" "$here/plot_contact.py" "$@"
fi
echo "plot_contact.sh: no Python with matplotlib among:$python" >&2
echo "Install it with:  apt-get install python3-matplotlib" >&2
exit 69
