"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "boxes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("box", sa.LargeBinary(), nullable=False),
        sa.Column("address", sa.LargeBinary(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.String(255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "codes",
        sa.Column("box", sa.String(32), primary_key=True),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("code", sa.LargeBinary(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_codes_expires_at", "codes", ["expires_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("codes")
    op.drop_table("boxes")
