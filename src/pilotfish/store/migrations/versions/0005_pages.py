"""Pages that were read say which run read them; of the older ones nobody knows, so they are not kept."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("DELETE FROM blobs WHERE kind = 'pages'")
