"""User operations on record: where each was handed in."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("requests", sa.Column("entry_point", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("requests") as table:
        table.drop_column("entry_point")
