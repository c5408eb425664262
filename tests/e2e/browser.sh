#!/usr/bin/env bash
# Start Playwright's driver and Chromium once, so that the browser tests can. As root on Debian this
# installs what they lack. Otherwise one line says what is lacking: the browser tests are then
# skipped, except in CI, where this fails.
set -u
cd "$(dirname "$0")/../.."

start() { # sets `problem` and `packages` if driver or browser does not start
  local told
  if told=$(.venv/bin/python -m tests.e2e.launch); then return 0; fi
  problem=$(sed -n 1p <<<"$told") packages=$(sed -n 2p <<<"$told")
  return 1
}

install() {
  [ -n "$packages" ] && [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] || return 1
  command -v apt-get >/dev/null || return 1
  echo "Installing $packages for the browser tests (about 20 seconds) ..."
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  # shellcheck disable=SC2086 # several packages
  apt-get install -y -qq $packages fonts-liberation >/dev/null 2>&1
}

start && exit 0
if install; then start && exit 0; fi
how=${packages:+ To run them: sudo apt-get install $packages}
echo "The browser tests will be skipped: ${problem:-the environment .venv is not complete}.$how"
[ -z "${CI:-}" ]
