"""Boxes at the recovery service that no wallet has."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "loose_boxes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_loose_boxes_due_at", "loose_boxes", ["due_at"])
    op.execute(sa.text("INSERT INTO loose_boxes (id, due_at) SELECT box, at FROM deletions WHERE box <> ''"))
    op.drop_column("deletions", "box")


def downgrade() -> None:
    """Take back."""
    op.add_column("deletions", sa.Column("box", sa.String(32), nullable=False, server_default=""))
    op.drop_table("loose_boxes")
