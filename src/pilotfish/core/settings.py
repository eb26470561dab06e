"""All settings and their defaults. `store/settings_reader.py` reads them from file, environment and database."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from pilotfish.core.policy import PolicyPreset, PolicyRule
from pilotfish.core.workers import WorkerLabels

BrowserProfile = Literal["fresh", "remembered"]
FORMER_PATHS = {"keep": "retention", "tell": "notices", "policy.patience": "policy.approval_timeout"}
"""Settings and groups that were renamed, with their present paths. The former ones still work."""


class SettingsGroup(BaseModel):
    """A group of settings: frozen, and strict about names so that a typo is found."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelSettings(SettingsGroup):
    """Which model serves which tier. Empty means: the main one; empty main means: choose what is there."""

    main: str = ""
    light: str = ""
    decision: str = ""
    executor: str = ""
    image: str = ""
    fallback: str = ""
    offered: tuple[str, ...] = Field(
        default=(), description="other models that people may choose for a run over the network"
    )
    base_url: str = Field(default="", description="for openai-compatible:NAME")
    api_key: SecretStr = Field(default=SecretStr(""), description="for openai-compatible:NAME")
    ollama_url: str = "http://127.0.0.1:11434"
    temperature: float = Field(default=0.0, ge=0, le=2)
    adapter: bool = Field(
        default=True, description="use the adapter that an embedded model was trained with for chores"
    )
    timeout: float = Field(default=120.0, gt=0)


class AgentSettings(SettingsGroup):
    """How the loops behave."""

    loop: str = "auto"
    style: Literal["tool_first", "direct", "balanced"] = "balanced"
    iterations: int = Field(default=5, ge=1, le=10)
    steps: int | None = Field(
        default=None, ge=1, le=500, description="the most turns of a chore; none: 50, and 20 with a small model"
    )
    minutes: float | None = Field(
        default=None, gt=0, description="the most minutes that a run works, without waiting for people; none: no limit"
    )
    horizon: int = Field(default=8, ge=1, le=20, description="the most actions of a turn")
    reasoning_visible: bool = False
    phases_visible: bool = Field(default=True, description="whether what strict says in Reason and Observe is shown")
    input_timeout: float = Field(default=600.0, gt=0)
    disabled_tools: tuple[str, ...] = ()
    screenshots: bool = True


class BudgetSettings(SettingsGroup):
    """Money, in cents. None means no limit."""

    run_cents: float | None = Field(default=10.0, ge=0)
    day_cents: float | None = Field(default=None, ge=0)


class BrowserSettings(SettingsGroup):
    """Which browser and how."""

    executable: str = ""
    headless: bool = True
    attach: str = Field(default="", description="CDP address of a running Chrome, such as http://127.0.0.1:9222")
    remote: tuple[str, ...] = Field(default=(), description="CDP addresses of browsers elsewhere, used instead")
    remote_token: SecretStr = Field(default=SecretStr(""), description="added to these addresses as token=…")
    remote_sessions: int = Field(default=5, ge=1, description="the most sessions at once in each of them")
    remote_proxy: str = Field(default="", description="this machine's address as they see it; empty: found out")
    profile: BrowserProfile = Field(
        default="fresh", description="whether runs begin without logins, or with those remembered of the person"
    )
    width: int = Field(default=1280, ge=320, le=7680)
    height: int = Field(default=800, ge=240, le=4320)
    timeout: float = Field(default=15.0, gt=0, description="seconds any one browser call may take")
    allow_private: bool = Field(default=True, description="whether pages on loopback and private addresses may open")
    download_mb: float = Field(default=100.0, gt=0, description="the most megabytes that a download may have")
    downloads_mb: float = Field(default=500.0, gt=0, description="the most megabytes that a run may download in all")
    page_tools: bool = Field(default=True, description="whether agents may call tools that pages offer (WebMCP)")
    any_certificate: bool = Field(
        default=False, description="whether sites whose certificate cannot be trusted are opened all the same"
    )


class MemorySettings(SettingsGroup):
    """What is remembered of a person."""

    enabled: bool = True
    extract: bool = Field(default=False, description="look for facts in the background after each run")
    core: int = Field(default=8, ge=0)
    important: int = Field(default=12, ge=0)
    context: int = Field(default=6, ge=0)


class SearchSettings(SettingsGroup):
    """Search providers, tried in this order; those without a key or address are passed over."""

    providers: tuple[str, ...] = ("searxng", "brave", "tavily", "google", "duckduckgo", "local")
    searxng_url: str = ""
    brave_key: SecretStr = SecretStr("")
    tavily_key: SecretStr = SecretStr("")
    google_key: SecretStr = SecretStr("")
    google_engine: str = ""
    per_minute: int = Field(default=30, ge=1)
    per_day: int = Field(default=1000, ge=1)
    cents: Mapping[str, float] = Field(
        default_factory=dict[str, float], description="what one search costs, by provider; it counts to the budget"
    )


class FetchSettings(SettingsGroup):
    """How pages are fetched without a browser."""

    allow_private: bool = False
    max_bytes: int = Field(default=10_000_000, ge=1)
    timeout: float = Field(default=20.0, gt=0)
    ttl: float = Field(default=3600.0, ge=0)
    robots: bool = True


class WorkSettings(SettingsGroup):
    """How many runs go at once; those that wait for a person do not count."""

    runs: int = Field(default=100, ge=0, description="the most in one process; 0: it leaves all of them to workers")
    per_user: int = Field(default=100, ge=1, description="the most of one person, over all workers")
    labels: WorkerLabels = Field(default=(), description="what this process is for, such as gpu; runs may ask for it")
    needed_labels: WorkerLabels = Field(
        default=(), description="labels that a worker must have to be given runs that ask for none themselves"
    )
    drain: float = Field(
        default=8.0, ge=0, description="seconds in which a worker that is told to end lets its runs come to their end"
    )
    address: str = Field(
        default="",
        description="host:port at which other machines reach the browsers of this process; empty: chosen by itself",
    )
    shared_mb: float = Field(
        default=20.0, ge=0, description="with PostgreSQL: the largest file of a run that is kept in the database"
    )
    bucket: str = Field(
        default="", description="where machines share larger files: s3://bucket/folder, or file:///folder"
    )
    bucket_endpoint: str = Field(default="", description="of a bucket that is not Amazon's, such as https://s3.example")
    bucket_region: str = ""
    bucket_key: str = Field(default="", description="id of the access key; empty: as the environment says")
    bucket_secret: SecretStr = Field(default=SecretStr(""), description="the secret of the access key")


class RetentionSettings(SettingsGroup):
    """How long ended runs are kept, with their journals and files. None means: until somebody deletes them."""

    days: float | None = Field(default=None, gt=0, description="delete runs that ended so many days ago")
    megabytes: float | None = Field(
        default=None, gt=0, description="delete the oldest ended runs while the files of runs take more than this"
    )


class LogSettings(SettingsGroup):
    """What servers and workers write to standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = Field(default="text", description="lines for people, or JSON for machines")


class ServerSettings(SettingsGroup):
    """Where the server listens."""

    host: str = "127.0.0.1"
    port: int = Field(default=8417, ge=0, le=65535)
    hosts: tuple[str, ...] = Field(
        default=(), description="other names under which it may be called, or 127.0.0.1:9000 for a port of a tunnel"
    )
    origins: tuple[str, ...] = Field(
        default=(), description="other sites, such as https://app.example, whose pages may connect to /ws with a token"
    )
    proxies: tuple[str, ...] = Field(
        default=(),
        description="addresses of reverse proxies in front of it, whose X-Forwarded-For and -Proto are believed",
    )
    progress_lines: bool = Field(
        default=False, description="streamed answers over /v1 also tell what is being done, as quoted lines"
    )


class PolicySettings(SettingsGroup):
    """What agents may do without asking. Rules come first, in their order; the preset decides the rest."""

    preset: PolicyPreset = "ask_before_effects"
    rules: tuple[PolicyRule, ...] = Field(default=(), description="what is decided beforehand by site, effect, user")
    trusted: tuple[str, ...] = Field(default=(), description="sites where the preset trusted_sites does not ask")
    allowed: tuple[str, ...] = Field(default=(), description="the only sites that browsers may reach; none: all")
    blocked: tuple[str, ...] = Field(default=(), description="sites that browsers may never reach")
    suspicion: bool = Field(
        default=False, description="let the light model look for orders that pages give; it may only add questions"
    )
    approval_timeout: float = Field(
        default=60.0, gt=0, description="seconds an approval waits where nobody attends the run"
    )


class NoticeSettings(SettingsGroup):
    """How people are told about standing work."""

    address: str = Field(
        default="", description="where people reach this server, such as https://pilotfish.example; for links"
    )
    webhook_url: str = Field(default="", description="gets each notice as JSON")
    webhook_secret: SecretStr = Field(default=SecretStr(""), description="signs what the webhook gets")
    smtp_host: str = ""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str = ""
    smtp_password: str = Field(default="", description="the name of a kept secret that is bound to the mail server")
    mail_from: str = ""
    mail_to: str = ""
    ntfy_url: str = Field(default="", description="server and topic, such as https://ntfy.example/my-topic")
    ntfy_token: SecretStr = SecretStr("")
    push_services: tuple[str, ...] = Field(
        default=("fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com"),
        description="hosts that pass notices on to browsers; they cannot read them",
    )


class Settings(SettingsGroup):
    """All settings."""

    home: Path = Path()
    database: str = Field(default="", description="empty: SQLite in home; or postgresql://…")
    models: ModelSettings = ModelSettings()
    agent: AgentSettings = AgentSettings()
    budget: BudgetSettings = BudgetSettings()
    browser: BrowserSettings = BrowserSettings()
    memory: MemorySettings = MemorySettings()
    search: SearchSettings = SearchSettings()
    fetch: FetchSettings = FetchSettings()
    server: ServerSettings = ServerSettings()
    work: WorkSettings = WorkSettings()
    retention: RetentionSettings = RetentionSettings()
    log: LogSettings = LogSettings()
    policy: PolicySettings = PolicySettings()
    notices: NoticeSettings = NoticeSettings()
    mcp: Mapping[str, str] = Field(
        default_factory=dict[str, str], description="MCP servers whose tools agents have: name, and address or command"
    )


def present_path(path: str) -> str:
    """The path that a setting has now; the same one for a setting that was not renamed."""
    for former, present in FORMER_PATHS.items():
        if path == former or path.startswith(f"{former}."):
            return present + path.removeprefix(former)
    return path
