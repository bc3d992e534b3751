"""Changes of address that can be undone, and the links of mails that undo them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "address_changes",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("former", sa.LargeBinary(), nullable=False),
        sa.Column("former_key", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_address_changes_former_key", "address_changes", ["former_key"])
    op.create_index("ix_address_changes_expires_at", "address_changes", ["expires_at"])
    op.add_column("refusals", sa.Column("user", sa.String(32), nullable=False, server_default=""))
    op.add_column("notices", sa.Column("refusal", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("notices", "refusal")
    op.drop_column("refusals", "user")
    op.drop_table("address_changes")
