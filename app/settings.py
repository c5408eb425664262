"""The server's settings, read once from `HJSTUDY_*` variables; docs/operations.md lists them.

`HJSTUDY_X_FILE=/path` reads the value of `HJSTUDY_X` from a file (as Docker and systemd pass
secrets). An empty variable counts as not set.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from app.addresses import is_local, read_base_url, read_host
from app.errors import HjstudyError
from app.paths import IS_PACKED

PREFIX = "HJSTUDY_"
FOR_TESTS = "HJSTUDY_TEST_"  # read by tests only, never by the server
FOR_COMPOSE = {"HJSTUDY_BACKUP_KEY", "HJSTUDY_DOMAIN", "HJSTUDY_REPLICAS"}  # docker-compose.yml

OWN_NAMES = ("127.0.0.1", "::1", "localhost")  # in `Host`: of health checks, of proxies


def names_in(text: str) -> list[str]:
    """Return the parts of a list that is separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


class SettingsError(HjstudyError):
    """A variable has an invalid value; the message names it but never shows the value."""

    code = "settings/bad"


class FileSource(PydanticBaseSettingsSource):
    """Reads `HJSTUDY_X_FILE`."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return (value or None, field name, False: files hold plain text).

        Raises:
            SettingsError: the file cannot be read, or `HJSTUDY_X` is set too.
        """
        del field
        name = PREFIX + field_name.upper()
        path = os.environ.get(f"{name}_FILE", "")
        if not path:
            return None, field_name, False
        if os.environ.get(name):
            raise SettingsError(f"{name} and {name}_FILE are both set. Keep one of them.")
        try:
            return Path(path).read_text(encoding="utf-8").strip(), field_name, False
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise SettingsError(f"{name}_FILE: cannot read {path}: {reason}.") from error

    def __call__(self) -> dict[str, Any]:
        """Return every field that comes from a file."""
        fields = self.settings_cls.model_fields
        found = {name: self.get_field_value(field, name)[0] for name, field in fields.items()}
        return {name: value for name, value in found.items() if value is not None}


def default_database_url(data: Mapping[str, Any]) -> str:
    """Return the address of the SQLite file in the data folder."""
    path = str(data["data_dir"] / "hjstudy.db")
    return f"sqlite:///{path.replace('%', '%25').replace('?', '%3F')}"


def default_base_url(data: Mapping[str, Any]) -> str:
    """Return the address that a browser on this machine uses."""
    host = data["host"] if data["host"] not in {"0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104 - compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{data['port']}"


class Settings(BaseSettings):
    """The server's settings; built once at the start, then passed down."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )

    data_dir: Path = Field(
        default_factory=lambda: Path("hjstudy-data" if IS_PACKED else "var"),
        description="folder for the SQLite file, keys and the files of jobs",
    )
    database_url: str = Field(
        default_factory=default_database_url,
        repr=False,
        description="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME",
    )
    host: str = Field("127.0.0.1", min_length=1, description="address the server listens on")
    port: int = Field(8000, ge=1, le=65535, description="port the server listens on")
    base_url: str = Field(
        default_factory=default_base_url,
        description="address that people use, for printed and absolute links",
    )
    allowed_hosts: str = Field(
        "",
        description="other host names under which people reach the server, separated by commas",
    )
    trusted_proxies: str = Field(
        "127.0.0.1,::1",
        description="addresses or networks of proxies whose X-Forwarded headers count, "
        "separated by commas",
    )
    secure_cookies: bool = Field(
        default_factory=lambda data: data["base_url"].startswith("https://"),
        description="send cookies only over https, and tell browsers to stay on https",
    )
    write_timeout_s: float = Field(
        10, gt=0, le=300, description="longest wait for the write lock or a row, seconds"
    )
    threads: int = Field(40, ge=1, le=1000, description="requests handled at once")
    body_limit_bytes: int = Field(
        512 * 1024, ge=16 * 1024, le=16 * 1024 * 1024, description="largest request body, bytes"
    )
    head_timeout_s: float = Field(
        15, gt=0, le=3600, description="longest wait for the headers of a request, seconds"
    )
    body_timeout_s: float = Field(
        30,
        gt=0,
        le=3600,
        description="longest wait for a request body, seconds, plus one for every 32 KiB received",
    )
    upload_limit_bytes: int = Field(
        32 * 1024 * 1024,
        ge=64 * 1024,
        le=256 * 1024 * 1024,
        description="largest table that a researcher uploads, bytes",
    )
    login_hours: float = Field(12, gt=0, le=720, description="how long a login lasts, hours")
    model_endpoints: str = Field(
        "",
        description="endpoints that researchers may choose, separated by commas: "
        "NAME=URL or NAME=URL KEY_VARIABLE",
    )
    model_prices: Path | None = Field(
        None,
        description="file with prices of models per million tokens, for runs started from pages",
    )
    api_per_minute: int = Field(
        600, ge=1, le=1_000_000, description="requests of one agent's key in a minute"
    )
    login_idle_minutes: float = Field(
        120, gt=0, le=43_200, description="how long a login can go unused, minutes"
    )
    oidc_issuer: str = Field(
        "", description="address of an OpenID Connect provider for researchers' logins"
    )
    oidc_client_id: str = Field("", description="name of this server at that provider")
    oidc_client_secret: str = Field(
        "", repr=False, description="this server's secret at that provider"
    )
    oidc_name: str = Field(
        "single sign-on", min_length=1, max_length=60, description="what the login page calls it"
    )
    limit_sources: bool = Field(
        default=True, description="limit entries and failed logins from one client address"
    )
    prolific_keys: Path | None = Field(
        None, description="file with Prolific's key set (JWKS), to check its signed study links"
    )
    id_key_path: Path = Field(
        default_factory=lambda data: data["data_dir"] / "id.key",
        description="file with the key for the hashes of deleted IDs; keep it apart from the "
        "database and its backups",
    )
    htmx_source: Literal["cdn", "local"] = Field(
        "cdn", description="where pages load htmx from: a CDN, or the installed package"
    )
    metrics_token: str = Field(
        "",
        pattern=r"^([!-~]{16,})?$",
        repr=False,
        description="secret with which Prometheus may read /metrics; empty = there is no such page",
    )
    otlp_endpoint: str = Field(
        "",
        pattern=r"^(https?://[\w.:\[\]-]+(/[\w./-]*)?)?$",
        description="OpenTelemetry collector that gets spans of requests, over HTTP; empty = none",
    )
    log_format: Literal["console", "json"] = Field(
        "console", description="console (lines for people) or json"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="lowest level that is logged"
    )

    @property
    def signing_key_path(self) -> Path:
        """Return the file with the key that signs manifests."""
        return self.data_dir / "signing-key.pem"

    @field_validator("base_url")
    @classmethod
    def check_base_url(cls, value: str) -> str:
        """Return the address as browsers send it, without a trailing slash."""
        return read_base_url(value)

    @field_validator("allowed_hosts")
    @classmethod
    def check_hosts(cls, value: str) -> str:
        """Return the list of names as browsers send them."""
        return ",".join(map(read_host, names_in(value)))

    @field_validator("oidc_issuer")
    @classmethod
    def check_issuer(cls, value: str) -> str:
        """Return the address, which must be https except on this machine."""
        parts = urlsplit(value)
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_local(value))
        if value and (not is_safe or parts.query):
            problem = "must be an address such as https://login.example.org"
            raise ValueError(problem)
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def check_proxies(cls, value: str) -> str:
        """Return the list, each of whose parts is an address or a network."""
        for part in names_in(value):
            try:
                ip_network(part, strict=False)
            except ValueError as error:
                problem = f"'{part}' is not an address or network, such as 10.0.0.2 or 10.0.0.0/24"
                raise ValueError(problem) from error
        return value

    def host_names(self) -> frozenset[str] | None:
        """Return the host names the server answers to; None: any, as none is configured.

        This machine's own names always count, for health checks and for proxies that put their
        target into `Host`.
        """
        is_set = "base_url" in self.model_fields_set
        others = names_in(self.allowed_hosts)
        if not is_set and not others:
            return None
        own = {str(urlsplit(self.base_url).hostname)} if is_set else set[str]()
        return frozenset({*own, self.host.lower(), *OWN_NAMES, *others})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take values from the call, then the environment, then files; nothing else."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, FileSource(settings_cls)


def load_settings(**values: Any) -> Settings:
    """Return the settings; `values` take precedence over the environment.

    Raises:
        SettingsError: one line per problem, each naming its variable: an invalid value, or a
            variable that does not exist.
    """
    if unknown := unknown_variables(os.environ):
        raise SettingsError("\n".join(unknown))
    try:
        return Settings(**values)
    except ValidationError as error:
        lines = [
            f"{PREFIX}{'_'.join(map(str, problem['loc'])).upper()}: {problem['msg']}."
            for problem in error.errors(include_input=False, include_url=False)
            if problem["type"] != "default_factory_not_called"  # a consequence of another line
        ]
        raise SettingsError("\n".join(lines)) from None


def variable_names() -> list[str]:
    """Return the variables that exist, without their `_FILE` forms."""
    return [PREFIX + name.upper() for name in Settings.model_fields]


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return one sentence for each unknown `HJSTUDY_` variable (usually a typo)."""
    known = variable_names()
    sentences = []
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name.startswith(FOR_TESTS) or name in FOR_COMPOSE:
            continue
        if name.removesuffix("_FILE") not in known:
            near = get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            sentences.append(f"{name} is not a setting.{hint or ' Remove it.'}")
    return sentences
