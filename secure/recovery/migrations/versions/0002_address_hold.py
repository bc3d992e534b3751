"""The former address of a box, and until when recovery waits after a change."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("boxes", sa.Column("former", sa.LargeBinary(), nullable=True))
    op.add_column("boxes", sa.Column("held_until", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Take back."""
    op.drop_column("boxes", "held_until")
    op.drop_column("boxes", "former")
