"""In which order the site has told the addresses of a box."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("boxes", sa.Column("told_at", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Take back."""
    op.drop_column("boxes", "told_at")
