"""Logins at providers."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "social_attempts",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("provider", sa.String(16), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("state", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("result", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_social_attempts_state", "social_attempts", ["state"])
    op.create_index("ix_social_attempts_expires_at", "social_attempts", ["expires_at"])
    op.create_table(
        "social_identities",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_social_identities_user", "social_identities", ["user"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("social_identities")
    op.drop_table("social_attempts")
