"""What is remembered of people, and a quick way to all they said."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_facts_user_revision", "facts", ["user", "revision"])
    op.create_index("ix_events_type_id", "events", ["type", "id"])
