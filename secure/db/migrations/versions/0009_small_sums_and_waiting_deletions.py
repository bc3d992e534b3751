"""What held devices have spent, and deletions that wait."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "held_spendings",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("payload", sa.String(64), primary_key=True),
        sa.Column("asset", sa.String(191), primary_key=True),
        sa.Column("amount", sa.String(100), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_held_spendings_expires_at", "held_spendings", ["expires_at"])
    op.create_table(
        "deletion_requests",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_deletion_requests_token", "deletion_requests", ["token"])
    op.create_index("ix_deletion_requests_due_at", "deletion_requests", ["due_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("deletion_requests")
    op.drop_table("held_spendings")
