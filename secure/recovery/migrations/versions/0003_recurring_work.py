"""When recurring work is due, of which all processes on the database do each turn once."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "recurring_work",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("recurring_work")
