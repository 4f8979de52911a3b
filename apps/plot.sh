#!/usr/bin/env bash
# Runs plot.py with a Python that has matplotlib and h5py: not necessarily the first python3 on the path.
#   bash apps/plot.sh DIR [DIR...] --output FOLDER
# LIBDEM_PYTHON names an interpreter to try first.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

candidates() {
  [ -n "${LIBDEM_PYTHON:-}" ] && echo "$LIBDEM_PYTHON"
  echo /usr/bin/python3
  ls -1 /usr/bin/python3.[0-9]* /usr/local/bin/python3.[0-9]* 2>/dev/null | grep -v -- -config
  type -ap python3 python
}

tried=""
while read -r python; do
  case " $tried " in *" $python "*) continue ;; esac
  tried="$tried $python"
  if "$python" -c 'import h5py, matplotlib, numpy' >/dev/null 2>&1; then
    exec "$python" "$here/plot.py" "$@"
  fi
done < <(candidates)

echo "plot.sh: no Python with matplotlib and h5py among:$tried" >&2
echo "Install them with:  apt-get install python3-matplotlib python3-h5py" >&2
echo "or name an interpreter that has them:  LIBDEM_PYTHON=/path/to/python3 bash apps/plot.sh ..." >&2
exit 69
