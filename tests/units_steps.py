"""What docs/operations.md says about systemd, as a shell script for a machine that systemd booted.

`make units` runs it as root: python -m tests.units_steps > steps.sh. It reads SOURCE, the
repository to clone, and HJSTUDY_PORT, a free port.
"""

import pyrage

from tests.pages import ROOT, blocks

START = """set -euo pipefail
trap 'echo "line $LINENO failed"; journalctl --no-pager -n 60 -u "hjstudy*"' ERR
say() { printf '\\n== %s\\n' "$*"; }
until_true() { # a command
  local end=$((SECONDS + 300))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || { echo "never true: $*"; return 1; }
    sleep 1
  done
}
answers() {
  python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=5)' \\
    "http://127.0.0.1:$HJSTUDY_PORT/healthz" 2>/dev/null
}
running() { systemctl is-active --quiet hjstudy hjstudy-sweep hjstudy-backup; }
as_hjstudy() { # the page's line for commands, with other words after it
COMMAND}
own_user() { [ "$(ps -o user= -p "$(systemctl show -P MainPID "$1")")" = hjstudy ]; }
"""
# "Put the server's address ... and your public age key ...": the address stays the page's
OWN_FACTS = """sed -i 's|--encrypt-to age1...|--encrypt-to {key}|' deploy/hjstudy-backup.service
echo "HJSTUDY_PORT=$HJSTUDY_PORT" >/etc/hjstudy.env
"""
CHECKED = """say "The units run, and what the page says about them holds"
until_true answers
until_true running
systemctl is-enabled hjstudy hjstudy-sweep hjstudy-backup
for unit in hjstudy hjstudy-sweep hjstudy-backup; do own_user "$unit"; done
systemd-analyze security --no-pager hjstudy | grep -E 'exposure level.* (0|1)\\.[0-9]'
journalctl --no-pager -u hjstudy | grep '"event"' >/dev/null
until_true bash -c 'ls /var/backups/hjstudy/*.age'
[ "$(stat -c '%a %U' /var/lib/hjstudy)" = '700 hjstudy' ]

say "Someone plays, and commands work beside the server"
as_hjstudy user add ada | grep -F https://study.example.org/admin/welcome/
as_hjstudy demo >/dev/null
as_hjstudy simulate --study demo --bots oracle:1 --url "http://127.0.0.1:$HJSTUDY_PORT"
as_hjstudy verify

say "The server comes back after kill -9, and after a restart"
kill -9 "$(systemctl show -P MainPID hjstudy)"
until_true answers
systemctl restart hjstudy hjstudy-sweep hjstudy-backup
until_true answers
until_true running

say "The newest backup can be restored"
echo '{identity}' >/root/backup-key.txt
newest=$(ls -t /var/backups/hjstudy/*.age | head -n 1)
HJSTUDY_DATA_DIR=/root/restored .venv/bin/hjstudy restore "$newest" --identity /root/backup-key.txt
say "Every line of docs/operations.md about systemd ran, in a machine that systemd booted."
"""


def documented():
    """Return the blocks of the page: the user and the checkout, the units, and a command."""
    wanted = ("adduser", "systemctl", "sudo")
    page = [one.text for one in blocks(ROOT / "docs" / "operations.md") if one.language == "sh"]
    found = [next(text for text in page if word in text) for word in wanted]
    changes = {"<this repository>": '"$SOURCE"', "user add NAME": '"$@"'}
    for theirs, ours in changes.items():
        assert theirs in "".join(found)
        found = [text.replace(theirs, ours) for text in found]
    return found


def steps():
    """Return the whole script."""
    first, second, command = documented()
    identity = pyrage.x25519.Identity.generate()
    facts = OWN_FACTS.format(key=identity.to_public())
    checked = CHECKED.replace("{identity}", str(identity))
    return "\n".join(
        [
            START.replace("COMMAND", command),
            'say "The user and the checkout"',
            first,
            facts,
            second,
            checked,
        ]
    )


if __name__ == "__main__":
    print(steps(), end="")  # noqa: T201 - a program that prints
