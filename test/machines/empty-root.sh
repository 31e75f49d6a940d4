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
test/machines/debian-root.sh "$root"
git clone --quiet --no-hardlinks . "$root/root/tintype"
chmod 755 "$root/root"
cp test/machines/two-commands.sh "$root/root/"

# pivot_root instead of chroot: a process in a chroot may not make user namespaces, so the browser would have no sandbox.
unshare --mount --pid --fork --kill-child bash -c '
  set -e
  root=$1; shift
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  mkdir -p "$root/outside"
  cd "$root"
  pivot_root . outside
  umount -l /outside
  exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI=true \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt bash /root/two-commands.sh "$@"
' empty-root "$root" "$@"
