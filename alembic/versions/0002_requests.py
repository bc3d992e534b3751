"""The table of transactions that wallets were asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "requests",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("origin", sa.String(255), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(128), nullable=False),
        sa.Column("mined_hash", sa.String(128), nullable=False),
        sa.Column("bundle", sa.Text(), nullable=False),
        sa.Column("signed", sa.Text(), nullable=False),
        sa.Column("nonce", sa.BigInteger(), nullable=True),
        sa.Column("height", sa.BigInteger(), nullable=True),
        sa.Column("altered", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("missed_at", sa.BigInteger(), nullable=True),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_requests_account", "requests", ["address", "chain", "asked_at"])
    op.create_index("ix_requests_changed_at", "requests", ["changed_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_requests_changed_at", table_name="requests")
    op.drop_index("ix_requests_account", table_name="requests")
    op.drop_table("requests")
