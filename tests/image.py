"""Run the Dockerfile in a bare Debian, without a container engine: `make image`. Needs root.

A stage starts from a bare tree of the image's release, which is kept (Debian's own Python takes the
place of the image's). Every RUN and COPY line is carried out in it with chroot. Then the entry
point migrates, serves as the image's user on a tree that it cannot write, and the health check has
to succeed.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUITE = re.search(r"-slim-(\w+)", (ROOT / "Dockerfile").read_text())[1]
BASE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / f"hjstudy/bare-{SUITE}.tar"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PASSED_ON = re.compile(
    r"(PIP_|UV_|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)|.*_proxy$", re.IGNORECASE
)
HOST_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/uv/uv.toml")
PATIENCE_S = 300


def instructions():
    """Yield (name, rest) of each line of the Dockerfile; continued lines are joined."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text())
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


class Stage:
    """One stage: its tree, and what its lines have set so far."""

    def __init__(self, tree: Path):
        self.tree, self.folder, self.user = tree, "/", ""
        self.environment = {"PATH": PATH, "HOME": "/root"}
        self.settings = {}
        tree.mkdir()
        subprocess.run(["tar", "-C", tree, "-xf", BASE], check=True)
        (tree / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        named = [text for name, text in os.environ.items() if PASSED_ON.match(name)]
        for name in (*HOST_FILES, *(text for text in named if text.startswith("/"))):
            if Path(name).is_file():
                (tree / name[1:]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(name, tree / name[1:])

    def run(self, command, **given):
        """Run a command as the stage's user."""
        own = {name: text for name, text in os.environ.items() if PASSED_ON.match(name)}
        who = [f"--userspec={self.user}:{self.user}"] if self.user else []
        whole = ["chroot", *who, self.tree, "/usr/bin/env", "-C", self.folder, *command]
        return subprocess.Popen(
            whole, env={**own, **self.environment, **given}, start_new_session=True
        )

    def must(self, command):
        """Run a command that has to succeed."""
        print("+", shlex.join(command)[:150], flush=True)
        code = self.run(command).wait()
        if code:
            sys.exit(f"failed with {code}")

    def copy(self, rest, stages):
        """Carry out a COPY line."""
        source = ROOT
        if found := re.match(r"--from=(\w+) ", rest):
            source, rest = stages[found[1]].tree, rest[found.end() :]
        *names, target = rest.split()
        into = self.tree / str(Path(self.folder) / target)[1:]
        for name in names:
            here = source / name.lstrip("/")
            if here.is_dir():
                shutil.copytree(here, into, symlinks=True, dirs_exist_ok=True)
            else:
                whole = into / here.name if target.endswith("/") else into
                whole.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(here, whole)

    def obey(self, name, rest, stages):
        """Carry out one line."""
        if name == "WORKDIR":
            self.folder = rest
            (self.tree / rest[1:]).mkdir(parents=True, exist_ok=True)
        elif name == "ENV":
            self.environment |= dict(one.split("=", 1) for one in shlex.split(rest))
        elif name == "RUN":
            self.must(["sh", "-c", rest])
        elif name == "COPY":
            self.copy(rest, stages)
        elif name == "USER":
            self.user = rest
        elif name in {"ENTRYPOINT", "CMD"}:
            self.settings[name] = json.loads(rest)
        elif name == "HEALTHCHECK":
            self.settings[name] = json.loads(rest[rest.index("[") :])


def serve(stage):
    """Migrate and serve as the image would, and ask its health check."""
    subprocess.run(["mount", "--bind", stage.tree, stage.tree], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", stage.tree], check=True)
    data = stage.tree / stage.environment["HJSTUDY_DATA_DIR"][1:]
    for target in (data, stage.tree / "tmp"):  # a volume, and compose's tmpfs
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", target], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", stage.tree / "proc"], check=True)
    stage.must([*stage.settings["ENTRYPOINT"], "migrate"])
    server = stage.run([*stage.settings["ENTRYPOINT"], *stage.settings["CMD"]])
    end = time.monotonic() + PATIENCE_S
    while stage.run(stage.settings["HEALTHCHECK"], PYTHONWARNINGS="ignore").wait():
        if server.poll() is not None or time.monotonic() > end:
            sys.exit(f"the server did not become healthy (exit code {server.poll()})")
        time.sleep(3)
    server.send_signal(signal.SIGTERM)
    server.wait(20)


def main():
    """Build the stages, then serve from the last."""
    if not BASE.is_file():
        bare = ["bash", ROOT / "tests" / "bare.sh", "base"]
        subprocess.run(bare, env={**os.environ, "BARE_SUITE": SUITE}, check=True)
    stages, stage = {}, None
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        for name, rest in instructions():
            if name == "FROM":
                named = rest.partition(" AS ")[2] or "last"
                stage = stages[named] = Stage(scratch / named)
            else:
                stage.obey(name, rest, stages)
        try:
            serve(stage)
        finally:
            for path in (*("proc", "tmp", "var/lib/hjstudy"), ""):
                subprocess.run(
                    ["umount", "-l", stage.tree / path], check=False, stderr=subprocess.DEVNULL
                )
    print("Every line of the Dockerfile ran, and the image's server became healthy.")


if __name__ == "__main__":
    main()
