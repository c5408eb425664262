"""Odd values for fields and files, and odd requests made from a form."""

import base64
import gzip
import io
import json
import zipfile
from dataclasses import dataclass, field
from random import Random

MARK = "<zq7 a=\"'>"  # never in a page unless something was not escaped
ODD = (
    *(
        "",
        " ",
        "\x00",
        "a\x00b",
        "\r\n",
        "x\r\nX-Evil: 1",
        "\t",
        "\x1b[31m",
        "\x7f",
        "\x85",
        "\ufeff",
    ),
    *("\u202ertl", "👩‍👩‍👧‍👦", "e\u0301", "ﬀ", "İ", "שלום", "\ufffd", "\u2028", "𝔤𝔬", "\U0010ffff"),
    *(
        "0",
        "-1",
        "1e309",
        "NaN",
        "inf",
        "9" * 400,
        "1.5",
        "0x10",
        "٣",
        "²",
        "1_000",
        "+1",
        "-0",
        " 7 ",
    ),
    *(
        "null",
        "None",
        "true",
        "[]",
        "{}",
        "[[[[",
        '{"a": 1}',
        "'; DROP TABLE turn; --",
        "%s%n",
        "{{7*7}}",
    ),
    *("${jndi:ldap://x}", "../../etc/passwd", "=1+1", "2026-13-45", "0000-00-00", "9999999-01-01"),
    *("https://", "javascript:alert(1)", "//evil.example/", "a:b:c", "!!python/object:os.system x"),
    *(MARK, f"a{MARK}b", f"[x](javascript:{MARK})", f'"{MARK}', f"--{MARK}", f"]]>{MARK}"),
    *("x" * 300, "x" * 70_000, "é" * 5000, "\n" * 3000, "a," * 3000, "- " * 3000),
)
DEEP = 60_000
ROWS = "item,score\n" + "m0,1\n" * 20_000


def zipped(content: bytes) -> bytes:
    """Return an archive with one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("study.yaml", content)
    return out.getvalue()


def laughs() -> str:
    """Return a YAML file of a few hundred bytes that means a billion words."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(lines)


BOMBS: tuple[bytes, ...] = (
    b"",
    b"\x00" * 5000,
    b"\xff\xfe\x00\xd8" * 100,
    "a,b\n1,2\n".encode("utf-16"),
    b"\x80\x81\xfe",
    zipped(b"0" * 2_000_000),
    gzip.compress(b"0" * 2_000_000),
    laughs().encode(),
    b"a: &a [*a]",
    b"<<: *x",
    b"? [a, b]\n: c",
    ("[" * DEEP).encode(),
    ("[" * DEEP + "]" * DEEP).encode(),
    ('{"a":' * DEEP + "1" + "}" * DEEP).encode(),
    ("{" * 3000).encode(),
    ("- " * DEEP).encode(),
    b"\n".join(b" " * n + b"- a:" for n in range(400)),
    json.dumps({"id": "\ud800", "text": "\udfff", "source": "\ud800", "task": "A-Over"}).encode(),
    json.dumps({"item": "m0", "score": int("9" * 60), "model": "x"}).encode(),
    b'{"item": "m0", "score": ' + b"9" * 5000 + b', "model": "x"}',
    b'{"item": "m0", "score": 1e999, "model": NaN}',
    b'{"item": "m0", "item": "m0", "score": 1, "score": 2}',
    b'{"item": {"a": []}, "score": [1], "model": {"b": 1}}',
    b"[1, 2, 3]\n",
    b'"text"\n',
    b"score: " + b"9" * 5000,
    b"seed: 0b" + b"1" * 5000,
    b"title: 2001-99-99T99:99:99Z",
    b"!!binary x",
    ROWS.encode(),
    ("x," * 200_000).encode(),
    ('"' + "x\n" * 100_000).encode(),
    ('"a""' * 20_000).encode(),
    f"item,score,model\n{MARK},1,{MARK}\n".encode(),
    f"model,task,seed,episode,success,actions_used,rv\n{MARK},A-Over,1,1,true,8,{MARK}\n".encode(),
    f"Submission id,Participant id,Status\n{MARK},{MARK},{MARK}\n".encode(),
    f"slug: {MARK}\ntitle: {MARK}\nblocks: {MARK}\n".encode(),
    b"slug: [a]\ntitle: {b: c}\nblocks: 7\nseed: [1]\npeople: []\nquestions: no\ntexts: 1.5\n",
    b"item;score\n1;2\n",
    b"\xef\xbb\xbfitem,score\nm0,1",
)


@dataclass
class Sent:
    """One request: names may be repeated; a file is (name of the file, content)."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    files: list[tuple[str, tuple[str, bytes]]] = field(default_factory=list)
    content: bytes | None = None
    kind: str = ""
    what: str = ""


def odd_request(rng: Random, form) -> Sent:
    """Fill in a form and spoil one to three things about it."""
    fields = [
        (name, rng.choice(form.choices.get(name) or [value])) for name, value in form.fields.items()
    ]
    sent = Sent(form.action, fields)
    if form.buttons and rng.random() < 0.8:
        sent.fields += [one for one in [rng.choice(form.buttons)] if one[0]]
    if form.files and rng.random() < 0.8:
        sent.files = [(rng.choice(form.files), ("a.csv", rng.choice(BOMBS)))]
        sent.what = "a file; "
    for _ in range(rng.randint(0 if sent.files else 1, 3)):
        spoil(rng, sent)
    return sent


def spoil(rng: Random, sent: Sent) -> None:
    """Change one thing."""
    kind = rng.choices(
        ("value", "bomb", "missing", "extra", "twice", "as a file", "body", "swap"),
        (50, 10, 10, 7, 8, 5, 3, 7),
    )[0]
    free = [at for at, (name, _) in enumerate(sent.fields) if name != "form_key"]
    at = rng.choice(free) if free else None
    name = sent.fields[at][0] if at is not None else "text"
    sent.what += f"{kind} {name}; "
    if kind == "extra" or at is None:
        sent.fields.append(
            (rng.choice(("slug", "id", "state", "x" * 3000, "\x00", "a[b]", "")), odd(rng))
        )
    elif kind in {"value", "bomb"}:
        bomb = rng.choice(BOMBS).decode("utf-8", "replace")[:200_000]
        sent.fields[at] = (name, odd(rng) if kind == "value" else bomb)
    elif kind == "missing":
        del sent.fields[at]
    elif kind == "twice":
        sent.fields.append((name, odd(rng)))
    elif kind == "as a file":
        del sent.fields[at]
        sent.files.append(
            (name, (rng.choice(("a.txt", MARK, "\x00", "x" * 500)), rng.choice(BOMBS)))
        )
    elif kind == "swap":
        other = rng.choice(free)
        sent.fields[at] = (name, sent.fields[other][1])
    else:
        sent.content, sent.kind = rng.choice(BODIES)


def odd(rng: Random) -> str:
    """Return an odd text, sometimes two in one."""
    return rng.choice(ODD) if rng.random() < 0.8 else rng.choice(ODD)[:200] + rng.choice(ODD)[:200]


FORM = "application/x-www-form-urlencoded"
BODIES = (
    (b"a=%ff%fe&b=%00", FORM),
    (b"&&&===&", FORM),
    (b"a=1&" * 7000, FORM),
    (b"--x\r\nbad", "multipart/form-data; boundary=x"),
    (b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n', "multipart/form-data; boundary=x"),
    (b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--", "multipart/form-data; boundary=x"),
    (b"", "multipart/form-data"),
    (b"", "multipart/form-data; boundary="),
    (b'{"a": 1}', "application/json"),
    (base64.b64encode(b"x" * 3000), "text/plain"),
    (b"a=1", "application/x-www-form-urlencoded; charset=utf-7"),
    (b"a=1", "\x80"),
)
