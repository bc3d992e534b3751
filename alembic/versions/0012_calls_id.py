"""The page's own id of calls that went as a user operation."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    # Workers of the release before write rows without it until they are replaced.
    op.add_column("requests", sa.Column("calls_id", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("requests") as table:
        table.drop_column("calls_id")
