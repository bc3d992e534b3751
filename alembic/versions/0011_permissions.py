"""The table of permissions that accounts have granted."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "permissions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("origin", sa.String(255), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("delegate", sa.String(128), nullable=False),
        sa.Column("granted", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("granted_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_permissions_account", "permissions", ["address", "chain", "origin"])
    op.create_index("ix_permissions_expires_at", "permissions", ["expires_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_permissions_expires_at", table_name="permissions")
    op.drop_index("ix_permissions_account", table_name="permissions")
    op.drop_table("permissions")
