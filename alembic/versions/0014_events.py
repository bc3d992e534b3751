"""The log of events, from which webhooks are delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "events",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("error", sa.Text(), nullable=False, server_default=""),
        # A number is never given twice, whatever is deleted: who follows the log goes on after the last one.
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_at", "events", ["at"])
    op.create_index("ix_events_address", "events", ["address"])
    op.create_index("ix_events_due_at", "events", ["due_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("events")
