"""The table of what the operator pays for."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "sponsored_operations",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("account", sa.String(128), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("line", sa.String(64), nullable=False),
        sa.Column("gwei", sa.BigInteger(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_sponsored_operations_chain", "sponsored_operations", ["chain", "at"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_sponsored_operations_chain", table_name="sponsored_operations")
    op.drop_table("sponsored_operations")
