"""The language of an account's mails."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = ("users", "attempts", "notices")


def upgrade() -> None:
    """Apply."""
    for table in TABLES:
        op.add_column(table, sa.Column("language", sa.String(35), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    for table in TABLES:
        op.drop_column(table, "language")
