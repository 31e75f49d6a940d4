#!/usr/bin/env bash
# `npm run test:image`: builds deploy/Dockerfile, starts the image as its own user with a read-only root, captures a page,
# makes a card and stops it. Needs root, 8 GB under TMPDIR and some minutes; needs no Docker.
# The two base images are stand-ins made by debootstrap, with the names that the Dockerfile uses.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "This needs root: it makes file systems of its own." >&2; exit 1; }
command -v buildah >/dev/null || apt-get install -y --no-install-recommends buildah >/dev/null
max_megabytes=900

place=$(mktemp -d "${TMPDIR:-/tmp}/tintype-image.XXXXXX")
cleanup() {
  [ -z "${container:-}" ] || { buildah "${store[@]}" umount "$container" >/dev/null || true; }
  rm -rf --one-file-system "$place"
}
trap cleanup EXIT
# vfs and chroot isolation work without a daemon and inside another container.
store=(--root "$place/storage" --runroot "$place/run" --storage-driver vfs)
export BUILDAH_ISOLATION=chroot

base() { # NAME [--node]
  mkdir "$place/base"
  test/machines/debian-root.sh "$place/base" "${@:2}"
  local from; from=$(buildah "${store[@]}" from scratch)
  buildah "${store[@]}" copy --quiet "$from" "$place/base" / >/dev/null
  buildah "${store[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$from"
  buildah "${store[@]}" commit --quiet --rm "$from" "$1" >/dev/null
  rm -rf "$place/base"
}
echo "Making the base images …"
base docker.io/library/debian:bookworm-slim
base docker.io/library/node:24-bookworm-slim --node

echo "Building deploy/Dockerfile …"
git clone --quiet . "$place/clone"
cp .dockerignore "$place/clone/"
buildah "${store[@]}" bud --quiet --pull-never --file deploy/Dockerfile --tag tintype "$place/clone" >"$place/build.log" 2>&1 ||
  { tail -n 20 "$place/build.log"; exit 1; }

container=$(buildah "${store[@]}" from tintype)
root=$(buildah "${store[@]}" mount "$container")
# A folder of our own to run from: pivot_root wants it on this side of the store.
megabytes=$(du --apparent-size -smx "$root" | cut -f1)
echo "The image holds $megabytes MB. The largest parts:"
(cd "$root" && du --apparent-size -smx usr/lib/chromium app/node_modules app/.tintype usr/share/fonts usr/lib/*-linux-gnu app/web usr/bin usr/share 2>/dev/null | sort -rn | sed 's/^/  /')

echo "Starting it as user 10001 with a read-only root …"
cp test/machines/image-check.mjs "$root/app/image-check.mjs"
READ_ONLY=1 test/machines/in-root.sh "$root" \
  setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs \
  env -i HOME=/data PATH=/usr/local/bin:/usr/bin:/bin HOST=127.0.0.1 PORT=3000 DATA_DIR=/data \
  NODE_COMPILE_CACHE=/tmp/compile-cache ALLOW_PRIVATE_TARGETS=127.0.0.0/8 /usr/local/bin/node /app/image-check.mjs

[ "$megabytes" -le "$max_megabytes" ] || { echo "The image holds $megabytes MB; $max_megabytes are allowed."; exit 1; }
echo "1 passed, 0 failed"
