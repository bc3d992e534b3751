"""Notices that are told together, and what limits them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("notices", sa.Column("address_key", sa.String(64), nullable=False, server_default=""))
    op.add_column("notices", sa.Column("times", sa.Integer(), nullable=False, server_default="1"))
    for name in ("gathered", "sent"):
        op.add_column("notices", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_notices_address_key", "notices", ["address_key"])


def downgrade() -> None:
    """Take back."""
    op.execute(sa.text("DELETE FROM notices WHERE sent"))
    op.drop_index("ix_notices_address_key", "notices")
    for name in ("sent", "gathered", "times", "address_key"):
        op.drop_column("notices", name)
