"""The table of what became of the requests of host pages."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "decisions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(255), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("method", sa.String(64), nullable=False),
        sa.Column("decision", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
    )
    op.create_index("ix_decisions_address", "decisions", ["address", "at"])
    op.create_index("ix_decisions_until", "decisions", ["until"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_decisions_until", table_name="decisions")
    op.drop_index("ix_decisions_address", table_name="decisions")
    op.drop_table("decisions")
