"""Schedules, each time that they happened, and what people are told."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("paused", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_schedules_user", "schedules", ["user"])
    op.create_index("ix_schedules_due", "schedules", ["due"])
    op.create_table(
        "fires",
        sa.Column("schedule", sa.Text, sa.ForeignKey("schedules.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("due", sa.BigInteger, primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_fires_state", "fires", ["state"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_notices_user_at", "notices", ["user", "at"])
    op.create_index("ix_notices_state_due", "notices", ["state", "due"])
