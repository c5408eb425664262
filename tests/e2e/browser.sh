#!/usr/bin/env bash
# Start what the tests start (Playwright's driver, Chromium, llama.cpp) once. As root on Debian this
# installs what is missing. Otherwise one line says what it is: the tests that need it are then
# skipped, except in CI, where this fails.
#
# Pages are measured in pixels, so the fonts of a Debian desktop are installed too.
set -u
cd "$(dirname "$0")/../.."

start() { # sets `problem` and `packages` if something does not start
  local told
  if told=$(.venv/bin/python -m tests.e2e.launch); then return 0; fi
  problem=$(sed -n 1p <<<"$told") packages=$(sed -n 2p <<<"$told")
  return 1
}

install() {
  [ -n "$packages" ] && [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] || return 1
  command -v apt-get >/dev/null || return 1
  echo "Installing $packages for the tests (about 20 seconds) ..."
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  # shellcheck disable=SC2086 # several packages
  apt-get install -y -qq $packages fonts-liberation fonts-dejavu-core >/dev/null 2>&1
}

start && exit 0
if install; then start && exit 0; fi
how=${packages:+ To run them: sudo apt-get install $packages}
echo "Tests will be skipped: ${problem:-the environment .venv is not complete}.$how"
[ -z "${CI:-}" ]
