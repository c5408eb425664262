"""What a newcomer does, as a shell script: the tutorial from top to bottom, then the README's line.

`make bare-package` runs it in a bare Debian, where nothing but a package of hjstudy can be found:
python -m tests.first_steps > steps.sh. It reads HJSTUDY_PORT, and BARE_SECONDS, the longest time
that the tutorial may take.
"""

import shlex

from app import __version__
from tests.pages import ROOT, blocks

END = "END_OF_THE_FILE"
PLACE, FILE = "/path/to/hjstudy", '"$PIP_FIND_LINKS"/hjstudy*'  # what readers write, and what we do
START = """set -euo pipefail
wait_for() { # an address of the server, whose process is $2
  until python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=5)' \\
    "http://127.0.0.1:$HJSTUDY_PORT/$1" 2>/dev/null; do
    kill -0 "$2" || exit 1
    sleep 1
  done
}
stop() { kill "$1"; wait "$1" || true; }
mkdir tutorial demo
cd tutorial"""
CHECKED = f"""hjstudy --version | grep -F 'hjstudy {__version__},'
test -s pilot-data/manifest.json
test -s pilot-report/figures/success_efficiency.pdf
echo "The tutorial took $SECONDS s."
[ "$SECONDS" -lt "$BARE_SECONDS" ]
cd ../demo"""
PLAYED = """hjstudy simulate --study demo --bots oracle:1 --url "http://127.0.0.1:$HJSTUDY_PORT"
stop $server
hjstudy export --study demo --out demo.zip --include-test
hjstudy verify"""


def served(block, address):
    """Return a block whose last command is a server, which then answers; its process is $server."""
    *before, command = block.lines()
    return "\n".join([*before, f"{command} & server=$!", f"wait_for {address} $server"])


def tutorial():
    """Yield what the tutorial says, in order."""
    for block in blocks(ROOT / "docs" / "tutorial.md"):
        if block.title:
            yield f"cat > {shlex.quote(block.title)} <<'{END}'\n{block.text}{END}"
        if block.language == "python":
            yield f"python3 {shlex.quote(block.title)}"
        elif block.note == "serve":
            yield f"{served(block, 's/pilot')}\nstop $server"
        elif block.language == "sh":
            yield f"set +u\n{block.text}set -u" if "activate" in block.text else block.text.strip()


def steps():
    """Return the whole script."""
    line = blocks(ROOT / "README.md")[0]
    written = [START, *tutorial(), CHECKED, served(line, "s/demo"), PLAYED, ""]
    return "\n".join(written).replace(PLACE, FILE)


if __name__ == "__main__":
    print(steps(), end="")  # noqa: T201 - a program that prints
