"""The proxies that docs/operations.md sets up: nginx and Caddy, each in front of a server of ours.

A program that this machine lacks is unpacked from Debian's package into `build/`, so that nothing
is installed and no service starts.
"""

import os
import shutil
import ssl
import subprocess
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.e2e.serving import free_port
from tests.pages import ROOT, blocks

SITE = "study.example.org"
PATIENCE_S = 120
AROUND_NGINX = """{user}pid {folder}/pid;
daemon off;
events {{}}
http {{
access_log off;
client_body_temp_path {folder}/body;
proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/fastcgi;
uwsgi_temp_path {folder}/uwsgi;
scgi_temp_path {folder}/scgi;
{block}}}
"""
# Its own authority takes the place of Let's Encrypt, which would have to reach this machine.
BEFORE_CADDY = """{{
admin off
default_bind 127.0.0.1
https_port {port}
http_port {plain}
local_certs
skip_install_trust
storage file_system {folder}/storage
}}
"""


def documented(name):
    """Return the block of the page that sets a proxy up."""
    starts = {"nginx": "server {", "caddy": f"{SITE} {{"}
    page = blocks(ROOT / "docs" / "operations.md")
    [found] = [one.text for one in page if one.text.startswith(starts[name])]
    return found


def changed(block, changes):
    """Return a block with other words in some places, each of which has to be there."""
    for theirs, ours in changes.items():
        assert theirs in block
        block = block.replace(theirs, ours)
    return block


def program(name):
    """Return the path of a program of this machine or of Debian's package of its name."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found:
        return found
    folder = ROOT / "build" / "debian" / name
    try:
        if not folder.is_dir():
            unpack(name, folder)
    except (OSError, subprocess.SubprocessError):
        problem = f"no {name}: install it, or make `apt-get download {name}` work"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(problem)
    [path] = [one for one in folder.glob(f"usr/*bin/{name}") if one.is_file()]
    return path


def unpack(package, folder):
    """Download a package of Debian and unpack it. Raises OSError, SubprocessError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        run = partial(subprocess.run, check=True, capture_output=True, timeout=PATIENCE_S)
        run(["apt-get", "download", package], cwd=scratch)
        [file] = Path(scratch).glob("*.deb")
        run(["dpkg-deb", "-x", file, f"{scratch}/tree"])
        if not folder.is_dir():  # another test may have been faster
            Path(scratch, "tree").rename(folder)


class Proxy:
    """A proxy with a block of the page, in front of a server of ours, until the block ends."""

    def __init__(self, folder, server_port):
        self.folder, self.port, self.server_port = folder, free_port(), server_port
        self.certificate = folder / "site.pem"

    def command(self, block):
        """Write the configuration; return the command line."""
        raise NotImplementedError

    @contextmanager
    def running(self, block):
        """Run the proxy until the `with` block ends."""
        command = self.command(block)
        own = {**os.environ, "HOME": str(self.folder)}
        with (self.folder / "proxy.log").open("wb") as log:
            process = subprocess.Popen(command, env=own, stdout=log, stderr=log)
        try:
            self.wait(process)
            yield self
        finally:
            process.terminate()
            process.wait(20)

    def wait(self, process):
        """Wait until it answers for the site."""
        end = time.monotonic() + PATIENCE_S
        while not self.answers():
            alive = process.poll() is None and time.monotonic() < end
            assert alive, (self.folder / "proxy.log").read_text()
            time.sleep(0.05)

    def answers(self):
        """Tell whether the site answers under its name."""
        try:
            with self.browser("127.0.0.1") as found:
                return found.get("/healthz").is_success
        except (httpx.TransportError, FileNotFoundError):  # the certificate is not made yet
            return False

    def browser(self, address):
        """Return a browser at an address of this machine, which is sure of the site's name."""
        context = ssl.create_default_context(cafile=self.certificate)
        transport = httpx.HTTPTransport(verify=context, local_address=address)
        return httpx.Client(
            transport=AtProxy(transport, self.port),
            base_url=f"https://{SITE}",
            headers={"Origin": f"https://{SITE}"},
            follow_redirects=True,
        )


class Nginx(Proxy):
    """nginx with a certificate of our own."""

    def command(self, block):
        key = self.folder / "site.key"
        self.certify(key)
        own = changed(
            block,
            {
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                f"/etc/letsencrypt/live/{SITE}/fullchain.pem": str(self.certificate),
                f"/etc/letsencrypt/live/{SITE}/privkey.pem": str(key),
                "127.0.0.1:8000": f"127.0.0.1:{self.server_port}",
            },
        )
        user = "" if os.geteuid() else "user root;\n"
        text = AROUND_NGINX.format(user=user, folder=self.folder, block=own)
        path = self.folder / "nginx.conf"
        path.write_text(text)
        return [program("nginx"), "-c", path, "-e", self.folder / "error.log"]

    def certify(self, key):
        """Make a certificate for the site."""
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        names = ["-subj", f"/CN={SITE}", "-addext", f"subjectAltName=DNS:{SITE}"]
        where = ["-keyout", key, "-out", self.certificate]
        subprocess.run([*command, *names, *where], check=True, capture_output=True)


class Caddy(Proxy):
    """Caddy, which makes its certificate itself."""

    def command(self, block):
        self.certificate = self.folder / "storage/pki/authorities/local/root.crt"
        facts = {"port": self.port, "plain": free_port(), "folder": self.folder}
        own = changed(block, {"127.0.0.1:8000": f"127.0.0.1:{self.server_port}"})
        path = self.folder / "Caddyfile"
        path.write_text(BEFORE_CADDY.format(**facts) + own)
        return [program("caddy"), "run", "--config", path, "--adapter", "caddyfile"]


class AtProxy(httpx.BaseTransport):
    """Connects to the proxy under the site's name, and to nothing else."""

    def __init__(self, inner, port):
        self.inner, self.port = inner, port

    def handle_request(self, request):
        assert (request.url.scheme, request.url.host) == ("https", SITE), request.url
        sent = httpx.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self.port),
            headers=request.headers,  # with the site's name as the host
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": SITE},
        )
        return self.inner.handle_request(sent)

    def close(self):
        self.inner.close()
