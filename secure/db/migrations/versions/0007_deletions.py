"""Deletions of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "deletions",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("box", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("deletions")
