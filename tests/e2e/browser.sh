#!/usr/bin/env bash
# See that there is a Chromium for the browser tests. As root on Debian it is installed; else one
# line says what will be skipped and how to get it. In CI a missing browser is a failure.
set -u

for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null && exit 0
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -f /etc/debian_version ]; then
  echo "Installing Chromium for the browser tests (about 20 seconds) ..."
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq chromium >/dev/null 2>&1
  command -v chromium >/dev/null && exit 0
  echo "apt-get install chromium did not work."
fi

echo "No Chromium: the browser tests will be skipped. To run them: sudo apt-get install chromium"
[ -z "${CI:-}" ]
