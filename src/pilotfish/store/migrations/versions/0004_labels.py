"""Labels of runs, and one kind for the files of runs and conversations."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("runs", sa.Column("labels", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE blobs SET kind = 'file', key = 'runs/' || key WHERE kind = 'run_file'")
    op.execute(
        "UPDATE blobs SET kind = 'file', key = 'conversations/' || key || '/browser.json' WHERE kind = 'session'"
    )
