"""What a swap has brought, as the chain says."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("requests", sa.Column("gained", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("requests") as table:
        table.drop_column("gained")
