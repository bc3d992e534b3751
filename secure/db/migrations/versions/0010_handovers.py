"""Sets that a window of the site's own keeps, and hand-overs of it to the frame of another site."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("halves", sa.Column("own_window", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "handovers",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_handovers_expires_at", "handovers", ["expires_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("handovers")
    op.drop_column("halves", "own_window")
