"""nginx as docs/operations.md sets it up: people enter and log in, each by their own address."""

import os
import shutil
import ssl
import subprocess
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from tests.e2e.serving import ServerProcess, free_port
from tests.e2e.stored import Stored
from tests.pages import ROOT, blocks
from tests.walker import Walker

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(NGINX is None, reason="no nginx: as root on Debian, apt install nginx"),
]
SITE = "study.example.org"
HOST_LINE = "        proxy_set_header Host $host;\n"
AROUND = """{user}pid {folder}/pid;
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


def documented():
    page = blocks(ROOT / "docs" / "operations.md")
    [found] = [one.text for one in page if one.language == "nginx"]
    return found


def certificate(folder):
    """Make a certificate for the site; return the paths of it and of its key."""
    made, key = folder / "site.pem", folder / "site.key"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", f"/CN={SITE}", "-addext", f"subjectAltName=DNS:{SITE}"]
    subprocess.run(
        [*command, *names, "-keyout", key, "-out", made], check=True, capture_output=True
    )
    return made, key


class Proxy:
    """nginx in front of a server of our own."""

    def __init__(self, folder, server_port, block):
        self.folder, self.port = folder, free_port()
        self.certificate, key = certificate(folder)
        for theirs, ours in {
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            f"/etc/letsencrypt/live/{SITE}/fullchain.pem": str(self.certificate),
            f"/etc/letsencrypt/live/{SITE}/privkey.pem": str(key),
            "127.0.0.1:8000": f"127.0.0.1:{server_port}",
        }.items():
            assert theirs in block
            block = block.replace(theirs, ours)
        user = "" if os.geteuid() else "user root;\n"
        text = AROUND.format(user=user, folder=folder, block=block)
        (folder / "nginx.conf").write_text(text)
        log = folder / "error.log"
        self.command = [NGINX, "-c", folder / "nginx.conf", "-e", log]

    @contextmanager
    def running(self):
        checked = subprocess.run([*self.command, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        process = subprocess.Popen(self.command)
        try:
            yield self
        finally:
            process.terminate()
            process.wait(20)

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


@pytest.fixture(params=["documented", "without Host"])
def proxy(request, tmp_path, url):
    """nginx with the documented lines, and as it is without the line that passes the host on."""
    block = documented()
    assert HOST_LINE in block
    block = block if request.param == "documented" else block.replace(HOST_LINE, "")
    server = ServerProcess(tmp_path, url)
    server.environment["HJSTUDY_BASE_URL"] = f"https://{SITE}"
    server.start()
    try:
        with Proxy(tmp_path, server.port, block).running() as made:
            yield made
    finally:
        server.end()


@pytest.fixture
def stored(url):
    made = Stored(url)
    yield made
    made.store.dispose()


@pytest.fixture
def at(proxy):
    with ExitStack() as stack:
        yield lambda address: stack.enter_context(proxy.browser(address))


def enter(browser):
    return Walker(browser).get("/s/small").send("answer", answer="yes").page.name


def test_people_behind_nginx_enter_and_log_in_each_by_their_own_address(at, stored):
    stored.make_study("small", people={"burst": 1})
    assert [enter(at("127.0.0.1")), enter(at("127.0.0.1"))] == ["instructions", "wait"]
    assert enter(at("127.0.0.2")) == "instructions"

    link, boss = stored.one_time_link("ada"), at("127.0.0.3")
    welcome = Walker(boss).get(f"/admin/welcome/{link}")
    assert welcome.send("password", password="a long password").page.name == "studies"
    other = Walker(at("127.0.0.3")).get("/admin")
    other.send("password", name="ada", password="a long password")
    assert other.page.name == "studies"
    assert other.get("/admin/studies/small/").page.name == "study"  # led on without the slash
