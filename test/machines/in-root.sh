#!/usr/bin/env bash
# Runs a command inside the file system $1, in process and mount namespaces of its own.
# READ_ONLY=1 makes the root read-only but for /tmp and /data. Needs root.
# pivot_root instead of chroot: a process in a chroot may not make user namespaces, so the browser would have no sandbox.
set -euo pipefail
exec unshare --mount --pid --fork --kill-child bash -c '
  set -e
  root=$1; shift
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  mkdir -p "$root/outside"
  if [ "${READ_ONLY:-}" = 1 ]; then
    mount -t tmpfs tmpfs "$root/tmp"
    [ ! -d "$root/data" ] || mount -t tmpfs -o mode=700,uid=10001,gid=10001 tmpfs "$root/data"
    mount -o remount,bind,ro "$root"
  fi
  cd "$root"
  pivot_root . outside
  cd /
  umount -l /outside
  exec "$@"
' in-root "$@"
