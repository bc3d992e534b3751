"""Fresh proofs, and recovery passwords."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "proofs",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_proofs_expires_at", "proofs", ["expires_at"])
    op.create_table(
        "recovery_passwords",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("auth", sa.LargeBinary(), nullable=False),
        sa.Column("half", sa.LargeBinary(), nullable=False),
        sa.Column("box", sa.LargeBinary(), nullable=False),
        sa.Column("failed", sa.String(255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("recovery_passwords")
    op.drop_table("proofs")
