"""The tables, once for both engines. `HEAD` names the migration that makes them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

HEAD = "0005"

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# SQLite autoincrements only a plain INTEGER key.
Count = BigInteger().with_variant(Integer(), "sqlite")


class UtcMicroseconds(TypeDecorator[datetime]):
    """A time as microseconds since 1970 in UTC: exact, ordered and the same in both engines."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else (value - EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        return None if value is None else EPOCH + timedelta(microseconds=value)


metadata = MetaData(
    naming_convention={"ix": "ix_%(table_name)s_%(column_0_N_name)s", "uq": "uq_%(table_name)s_%(column_0_N_name)s"}
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", UtcMicroseconds, nullable=False),
    Column("updated", UtcMicroseconds, nullable=False),
    Index(None, "user", "updated"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("conversation", Text, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("task", Text, nullable=False),
    Column("loop", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("outcome", Text),
    Column("answer", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("parent", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("worker", Text, nullable=False),
    Column("usage", Text, nullable=False),
    Column("created", UtcMicroseconds, nullable=False),
    Column("updated", UtcMicroseconds, nullable=False),
    Column("last", Integer, nullable=False),
    Column("labels", Text, nullable=False, server_default=""),
    Index(None, "user", "created"),
    Index(None, "conversation", "created"),
    Index(None, "state"),
)

events = Table(
    "events",
    metadata,
    Column("id", Count, primary_key=True, autoincrement=True),
    Column("run", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("at", UtcMicroseconds, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("run", "seq"),
    UniqueConstraint("run", "key"),
    Index(None, "type", "id"),
    sqlite_autoincrement=True,
)

commands = Table(
    "commands",
    metadata,
    Column("id", Count, primary_key=True, autoincrement=True),
    Column("run", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "run", "id"),
    sqlite_autoincrement=True,
)

settings = Table(
    "settings",
    metadata,
    Column("id", Count, primary_key=True, autoincrement=True),
    Column("path", Text, nullable=False),
    Column("value", Text),
    Column("by", Text, nullable=False),
    Column("at", UtcMicroseconds, nullable=False),
    Index(None, "path", "id"),
    sqlite_autoincrement=True,
)

blobs = Table(
    "blobs",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    Column("expires", UtcMicroseconds),
    Index(None, "expires"),
)

facts = Table(
    "facts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("ended", UtcMicroseconds),
    Column("body", Text, nullable=False),
    Index(None, "user", "revision"),
)

schedules = Table(
    "schedules",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("due", UtcMicroseconds),
    Column("paused", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "user"),
    Index(None, "due"),
)

fires = Table(
    "fires",
    metadata,
    Column("schedule", Text, ForeignKey("schedules.id", ondelete="CASCADE"), primary_key=True),
    Column("due", UtcMicroseconds, primary_key=True),
    Column("state", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "state"),
)

notices = Table(
    "notices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("due", UtcMicroseconds, nullable=False),
    Column("at", UtcMicroseconds, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "user", "at"),
    Index(None, "state", "due"),
)
