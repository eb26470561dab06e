"""Journals, conversations, commands, settings and blobs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

COUNT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _conversations()
    _runs()
    _journal()
    _rest()


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_conversations_user_updated", "conversations", ["user", "updated"])


def _runs() -> None:
    text = (
        "user",
        "conversation",
        "task",
        "loop",
        "state",
        "answer",
        "options",
        "parent",
        "version",
        "worker",
        "usage",
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in text),
        sa.Column("outcome", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_runs_user_created", "runs", ["user", "created"])
    op.create_index("ix_runs_conversation_created", "runs", ["conversation", "created"])
    op.create_index("ix_runs_state", "runs", ["state"])


def _journal() -> None:
    op.create_table(
        "events",
        sa.Column("id", COUNT, primary_key=True, autoincrement=True),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], ondelete="CASCADE"),
        sa.UniqueConstraint("run", "seq", name="uq_events_run_seq"),
        sa.UniqueConstraint("run", "key", name="uq_events_run_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "commands",
        sa.Column("id", COUNT, primary_key=True, autoincrement=True),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_commands_run_id", "commands", ["run", "id"])


def _rest() -> None:
    op.create_table(
        "settings",
        sa.Column("id", COUNT, primary_key=True, autoincrement=True),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("value", sa.Text),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_settings_path_id", "settings", ["path", "id"])
    op.create_table(
        "blobs",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.BigInteger),
    )
    op.create_index("ix_blobs_expires", "blobs", ["expires"])
