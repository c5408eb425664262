"""A manifest's timestamp, made by a real time-stamping authority of openssl's."""

import shutil
import subprocess

import pytest

from app.study.export import timestamps
from app.study.export.timestamps import TimestampError

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
CONFIG = """
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha512
[stamping]
extendedKeyUsage = critical,timeStamping
"""


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, check=True)


def authority(folder):
    """Make an authority with its own root; returns the root's certificate."""
    folder.mkdir()
    (folder / "serial").write_text("01")
    (folder / "tsa.cnf").write_text(CONFIG.format(folder=folder))
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    ca = ("-x509", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=root", "-days", "2")
    openssl(folder, "req", *curve, *ca)
    openssl(folder, "req", *curve, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=tsa")
    openssl(
        folder, "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out",
        "tsa.pem", "-days", "2", "-extfile", "tsa.cnf", "-extensions", "stamping",
        "-CAcreateserial",
    )  # fmt: skip
    return folder / "ca.pem"


def stamp(folder, file):
    """Let the authority of a folder stamp a file, as docs/operations.md says."""
    asked, answer = file.with_suffix(".tsq"), file.with_suffix(".tsr")
    openssl(folder, "ts", "-query", "-data", file, "-sha512", "-cert", "-out", asked)
    config = ("-config", "tsa.cnf", "-section", "here")
    openssl(folder, "ts", "-reply", "-queryfile", asked, *config, "-out", answer)
    return answer


@pytest.fixture(scope="module")
def stamped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stamps")
    file = folder / "manifest.json"
    file.write_text('{"study": "autumn"}')
    ca = authority(folder / "tsa")
    return file, stamp(folder / "tsa", file), ca


def test_timestamp_of_the_file_gives_the_service_s_time(stamped):
    assert timestamps.check(*stamped).endswith("GMT")


def test_timestamp_of_another_file_or_by_another_service_is_refused(stamped, tmp_path):
    file, answer, ca = stamped
    other = tmp_path / "other.json"
    other.write_text('{"study": "Autumn"}')
    with pytest.raises(TimestampError, match="message imprint mismatch"):
        timestamps.check(other, answer, ca)
    with pytest.raises(TimestampError, match="certificate verify error"):
        timestamps.check(file, answer, authority(tmp_path / "forger"))
    with pytest.raises(TimestampError, match="not a valid timestamp"):
        timestamps.check(file, file, ca)
    with pytest.raises(TimestampError, match="no such file"):
        timestamps.check(file, tmp_path / "nothing.tsr", ca)
