#!/usr/bin/env bash
# Prove `make run` and `make test` in a bare Debian: debootstrap, a clone of HEAD, chroot. Needs root.
# With BARE_PACKAGE (`make bare-package`), prove the wheel or the sdist of HEAD there instead; with
# BARE_UNITS (`make units`), boot it with systemd-nspawn and run the units there.
#
# The tree has its own mounts and processes (unshare), so nothing is left behind however this ends.
# Inside, apt and pip use what this machine is configured to use.
#
#   BARE_TESTS   what `make test` runs (default: everything), such as "tests/game tests/e2e/test_axe.py"
#   BARE_PACKAGE what is installed instead: "wheel sdist", or one of them
#   BARE_SECONDS longest time for the tutorial (default: 600, as it promises)
#   BARE_SUITE   the Debian release (default: bookworm)
#   BARE_FRESH   1 = make the base tree again instead of using the one kept under ~/.cache/hjstudy
#   BARE_DIR     where the scratch tree is made (default: /var/tmp)
set -euo pipefail

suite=${BARE_SUITE:-bookworm}
packages=python3,python3-venv,git,make
boot_packages='systemd systemd-sysv dbus sudo adduser procps'
root=$(cd "$(dirname "$0")/.." && pwd)
home='/root/für 100 % hj study' # of the clone, within the tree; a name that scripts must quote
patience_s=900     # for `make run` to answer

say() { printf '\n== %s\n' "$*"; }
since() { echo "$((SECONDS - $1)) s"; }

mirror() { # the address from which this machine gets that release
  local found
  found=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')
  echo "${found:-http://deb.debian.org/debian}"
}

make_base() { # write the base tree to the file $1
  local tree=$2/base proxy='' began=$SECONDS
  command -v debootstrap >/dev/null || apt-get install -y -qq debootstrap >/dev/null
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "$proxy" ] || export http_proxy=$proxy
  debootstrap --variant=minbase --include="$packages" "$suite" "$tree" "$(mirror)" >"$2/debootstrap.log" ||
    { tail -n 20 "$2/debootstrap.log"; return 1; }
  mkdir -p "$(dirname "$1")"
  tar -C "$tree" -cf "$1.new" . && mv "$1.new" "$1"
  rm -rf --one-file-system "$tree"
  echo "debootstrap took $(since "$began")"
}

copy_file() { # copy a file of this machine to the same place in the tree $2, if it is there
  [ -f "$1" ] || return 0
  mkdir -p "$2$(dirname "$1")"
  cp -L --remove-destination "$1" "$2$1"
}

passed_on() { # NAME=VALUE, each ended by a zero byte: how this machine reaches its registries
  env -0 | grep -zE '^(PIP_|UV_|[a-z]+_proxy=|[A-Z]+_PROXY=|SSL_CERT_FILE=|REQUESTS_CA_BUNDLE=|CURL_CA_BUNDLE=)' || true
}

configure() { # let apt, pip and uv in the tree $1 use what they use here
  local tree=$1 file value
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/uv/uv.toml; do copy_file "$file" "$tree"; done
  for file in .config/pip/pip.conf .pip/pip.conf .config/uv/uv.toml; do
    [ ! -f "$HOME/$file" ] || install -D "$HOME/$file" "$tree/root/$file"
  done
  passed_on | while IFS='=' read -r -d '' _ value; do copy_file "$value" "$tree"; done
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|ForceIPv)' >"$tree/etc/apt/apt.conf.d/90bare" || true
  # shellcheck disable=SC1091
  if [ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" = "$suite" ]; then
    rm -f "$tree/etc/apt/sources.list"
    (cd /etc/apt && cp -aL --parents sources.list sources.list.d trusted.gpg.d keyrings auth.conf.d "$tree/etc/apt" 2>/dev/null) || true
  fi
}

clone() {
  git clone -q --depth 1 "file://$root" "$1$home"
  [ "$(git -C "$1$home" rev-parse HEAD)" = "$(git -C "$root" rev-parse HEAD)" ]
  [ -z "$(git -C "$root" status --porcelain)" ] || echo "Uncommitted changes are not part of the clone."
}

in_tree() { # run a command line in the clone, with a clean environment
  local -a settings
  mapfile -d '' -t settings < <(passed_on)
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${settings[@]}" \
    chroot "$tree" bash -c "cd '$home' && $1"
}

free_port() { in_tree 'python3 -c "import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])"'; }

answers() { in_tree "python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:$1/healthz\", timeout=2)' 2>/dev/null"; }

prove_run() {
  local port server began=$SECONDS
  say "make run"
  port=$(free_port)
  set -m # the server's processes are a group of their own
  in_tree "HJSTUDY_PORT=$port exec make run" &
  server=$!
  set +m
  until answers "$port"; do
    kill -0 "$server" 2>/dev/null || { echo "make run ended before it answered."; return 1; }
    [ $((SECONDS - began)) -lt "$patience_s" ] || { echo "make run did not answer."; return 1; }
    sleep 1
  done
  run_took=$(since "$began")
  kill -TERM -- "-$server"
  wait "$server" || true
  ! answers "$port" || { echo "make run did not stop."; return 1; }
}

prove_test() {
  local began=$SECONDS
  say "make test${BARE_TESTS:+ (only $BARE_TESTS)}"
  in_tree "CI=1 make test TESTS='${BARE_TESTS:-}'"
  test_took=$(since "$began")
}

prove_package() { # the package of kind $1, and nothing else of this checkout, by the tutorial and the README
  local began=$SECONDS home=/root/$1 port
  say "The $1 alone"
  port=$(free_port)
  in_tree "export HJSTUDY_PORT=$port PIP_FIND_LINKS=/packages/$1 BARE_SECONDS=${BARE_SECONDS:-600}; bash steps.sh"
  took="$took the $1 took $(since "$began"),"
}

prove_packages() { # build both from the clone, then remove it
  local built=$tree/packages kind took=''
  (cd "$tree$home" && "$root/.venv/bin/python" -m hatchling build -d "$built" >/dev/null)
  rm -rf --one-file-system "${tree:?}$home"
  for kind in wheel sdist; do
    mkdir -p "$built/$kind" "$tree/root/$kind"
    (cd "$root" && .venv/bin/python -m tests.first_steps) >"$tree/root/$kind/steps.sh"
  done
  mv "$built"/*.whl "$built/wheel" && mv "$built"/*.tar.gz "$built/sdist"
  for kind in $BARE_PACKAGE; do prove_package "$kind"; done
  say "A bare Debian $suite needs nothing but a package:${took%,}."
}

prepare_units() { # let systemd run a script, once it has booted the tree $1
  local steps=$1/root/steps.sh name value
  in_tree "apt-get update -qq && apt-get install -y -qq --no-install-recommends $boot_packages" >"$1/root/apt.log" 2>&1 ||
    { tail -n 20 "$1/root/apt.log"; return 1; }
  passed_on | while IFS='=' read -r -d '' name value; do printf 'export %s=%q\n' "$name" "$value"; done >"$steps"
  printf 'export HOME=/root SOURCE=%q HJSTUDY_PORT=%q\n' "file://$home" "$(free_port)" >>"$steps"
  (cd "$root" && .venv/bin/python -m tests.units_steps) >>"$steps"
  cat >"$1/etc/systemd/system/steps.service" <<'END'
[Service]
Type=oneshot
ExecStart=bash -c 'bash /root/steps.sh; systemctl exit $?'
StandardOutput=file:/root/steps.log
StandardError=inherit
TimeoutStartSec=infinity
END
  ln -s /etc/systemd/system/steps.service "$1/etc/systemd/system/multi-user.target.wants/"
}

prove_units() {
  local machine
  say "The units, in a machine that systemd boots"
  prepare_units "$tree"
  mount -t tmpfs tmpfs /run # nspawn keeps its own files there
  systemd-nspawn --quiet --directory="$tree" --machine=hjstudy-units --resolv-conf=off --register=no --keep-unit \
    --console=pipe --boot </dev/null &
  machine=$!
  tail --follow=name --retry --quiet --pid="$machine" "$tree/root/steps.log" 2>/dev/null || true
  wait "$machine"
}

inside() { # in namespaces of our own: mounts and processes end with us
  tree=$1
  trap 'exit 130' INT TERM
  [ -z "${BARE_UNITS:-}" ] || { prove_units; return; }
  mount -t proc proc "$tree/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$tree/dev/pts"
  [ -z "${BARE_PACKAGE:-}" ] || { prove_packages; return; }
  prove_run
  prove_test
  say "A bare Debian $suite runs both commands: make run answered after $run_took, make test took $test_took."
}

main() {
  [ "$(id -u)" = 0 ] || { echo "make bare needs root: sudo make bare"; exit 1; }
  command -v apt-get >/dev/null || { echo "make bare needs Debian, or something that has apt-get and debootstrap."; exit 1; }
  [ -z "${BARE_UNITS:-}" ] || command -v systemd-nspawn >/dev/null ||
    apt-get install -y -qq --no-install-recommends systemd-container >/dev/null
  local base=${XDG_CACHE_HOME:-$HOME/.cache}/hjstudy/bare-$suite.tar only=${1:-} scratch
  scratch=$(mktemp -d "${BARE_DIR:-/var/tmp}/hjstudy-bare.XXXXXX")
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf --one-file-system '$scratch'" EXIT
  say "A bare Debian $suite with ${packages//,/, }"
  [ -f "$base" ] && [ -z "${BARE_FRESH:-}" ] || make_base "$base" "$scratch"
  [ -z "$only" ] || return 0
  mkdir "$scratch/tree"
  tar -C "$scratch/tree" -xf "$base"
  configure "$scratch/tree"
  clone "$scratch/tree"
  unshare --mount --mount-proc --pid --fork --kill-child bash "$0" inside "$scratch/tree"
}

case ${1:-} in
  inside) inside "$2" ;;
  base) main base ;; # only the tree, for tests/image.py
  *) main ;;
esac
