#!/usr/bin/env bash
# Install Firefox and WebKit for `make browsers`, as root on Debian; otherwise say what is missing.
set -eu
packages=""
command -v firefox-esr >/dev/null || packages="firefox-esr"
command -v WebKitWebDriver >/dev/null || packages="$packages webkit2gtk-driver"
command -v Xvfb >/dev/null || packages="$packages xvfb"
[ -n "$packages" ] || exit 0
if [ "$(id -u)" != 0 ] || [ ! -f /etc/debian_version ]; then
  echo "To run these tests: sudo apt-get install $packages"
  exit 1
fi
echo "Installing $packages (about two minutes) ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # several packages
apt-get install -y -qq --no-install-recommends $packages fonts-liberation >/dev/null
