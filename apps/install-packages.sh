#!/usr/bin/env bash
# Installs missing Debian packages of apps/packages.txt, as root or with sudo.
#
#   bash apps/install-packages.sh [GROUP…]      groups: see apps/packages.txt
set -euo pipefail
list=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/packages.txt

wanted=()
while read -r first second _; do
  case $first in
    '' | '#'*) ;;
    *:) for group in "$@"; do [ "$first" = "$group:" ] && wanted+=("$second"); done ;;
    *) wanted+=("$first") ;;
  esac
done <"$list"
for group in "$@"; do
  grep -q "^$group: " "$list" || { echo "install-packages: no group '$group' in $list" >&2; exit 2; }
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-packages: this is not Debian. Install what corresponds to these packages yourself: ${wanted[*]}" >&2
  exit 0 # the build reports what it lacks
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "install-packages: neither root nor sudo. Have an administrator run: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" >>"$log" 2>&1; }
# The lists may be old or empty, so only a failure after an update is an error.
if ! { apt update && apt install --no-install-recommends "${missing[@]}"; }; then
  tail -n 20 "$log" >&2
  echo "install-packages: apt-get failed; its last words are above" >&2
  exit 1
fi
