"""Boxes that the recovery service has before the code of a login comes."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("loose_boxes", sa.Column("given", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    op.drop_column("loose_boxes", "given")
