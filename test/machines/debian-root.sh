#!/usr/bin/env bash
# Makes an empty Debian root in the folder $1: the base system and this machine's package settings; with --node, Node and npm.
# Needs root. `empty-root.sh` runs the project in it; `image.sh` builds the container image on it.
set -euo pipefail
root=$1
node_version=24.21.0

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-cache policy | awk '$1 == 500 && $2 ~ /^http/ && $3 ~ /\/main$/ { print $2; exit }')
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >/dev/null

debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -n 5 "$root.log" >&2; exit 1; }
rm -f "$root.log"

# What this machine needs to reach its package registries: sources, certificates, npm's settings.
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list.d "$root/etc/apt/"
[ ! -f /etc/apt/sources.list ] || cp /etc/apt/sources.list "$root/etc/apt/"
cp -r /etc/apt/apt.conf.d /etc/apt/auth.conf.d "$root/etc/apt/" 2>/dev/null || true
# These hooks of Docker images and desktops name programs that are not in an empty root.
rm -f "$root"/etc/apt/apt.conf.d/{20packagekit,50appstream}
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# An installer or a container runtime writes this one.
printf '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n' >"$root/etc/hosts"
for file in "$(npm config get userconfig)" "$(npm config get globalconfig)"; do
  [ ! -f "$file" ] || install -D "$file" "$root$file"
done

[ "${2:-}" = --node ] || exit 0
# Node as the README asks for it ("20 or newer"), from npm, because Debian's own is older.
case $(uname -m) in x86_64) arch=x64 ;; *) arch=arm64 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "node-linux-$arch@$node_version" npm@11 >/dev/null)
mkdir -p "$root/usr/local/lib/node_modules/npm"
tar -xzf "$work"/node-linux-*.tgz -C "$work" package/bin/node
install "$work/package/bin/node" "$root/usr/local/bin/node"
tar -xzf "$work"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
chmod +x "$root"/usr/local/lib/node_modules/npm/bin/np?-cli.js
