#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for a version; fails if there is none.
set -euo pipefail
cd "$(dirname "$0")/.."

notes=$(awk -v head="## $1" '$0 == head || index($0, head " ") == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md)
[ -n "${notes//[[:space:]]/}" ] || { echo "CHANGELOG.md has no section \"## $1\"." >&2; exit 1; }
echo "$notes"
