#!/usr/bin/env bash
# `npm run test:empty-root`: the README's two commands in an empty Debian root, from a clone of what is committed.
# Takes some minutes and 5 GB under TMPDIR. Needs root. `--start` runs `npm start` and the first requests only.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "This needs root: it makes a file system of its own." >&2; exit 1; }

place=$(mktemp -d "${TMPDIR:-/tmp}/tintype-empty-root.XXXXXX")
root=$place/root
trap 'rm -rf --one-file-system "$place"' EXIT
mkdir "$root"
echo "Making an empty Debian root …"
test/machines/debian-root.sh "$root" --node
git clone --quiet --no-hardlinks . "$root/root/tintype"
chmod 755 "$root/root"
cp test/machines/two-commands.sh "$root/root/"

test/machines/in-root.sh "$root" env -i HOME=/root LANG=C.UTF-8 CI=true \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt bash /root/two-commands.sh "$@"
