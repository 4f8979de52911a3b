#!/usr/bin/env bash
# Prints a Python that has the given modules, which need not be the first python3 on the path.
#   bash find-python.sh MODULE...
# LIBDEM_PYTHON names an interpreter to try first. Without a Python: exit code 69, and the tried ones on standard error.
set -u
trap 'exit 130' INT  # a Python that is interrupted while it starts may end with any code

candidates() {
  [ -n "${LIBDEM_PYTHON:-}" ] && echo "$LIBDEM_PYTHON"
  echo /usr/bin/python3
  ls -1 /usr/bin/python3.[0-9]* /usr/local/bin/python3.[0-9]* 2>/dev/null | grep -v -- -config
  type -ap python3 python
}

modules=$(IFS=,; echo "$*")
tried=""
while read -r python; do
  case " $tried " in *" $python "*) continue ;; esac
  tried="$tried $python"
  if "$python" -c "import $modules" >/dev/null 2>&1; then
    echo "$python"
    exit 0
  fi
done < <(candidates)
echo "$tried" >&2
exit 69
