"""Holds on transfers of devices that escrow has recovered."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    for table in ("halves", "grants"):
        op.add_column(table, sa.Column("held_until", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Take back."""
    for table in ("halves", "grants"):
        op.drop_column(table, "held_until")
