"""Wrong codes of an address, and room for the mails of all networks."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("addresses") as table:
        table.add_column(sa.Column("wrong", sa.String(1023), nullable=False, server_default=""))
        table.alter_column("sent", existing_type=sa.String(255), type_=sa.String(1023), existing_nullable=False)


def downgrade() -> None:
    """Take back."""
    # What is longer than the column was is only a limit of this day.
    op.execute("UPDATE addresses SET sent = '' WHERE length(sent) > 255")
    with op.batch_alter_table("addresses") as table:
        table.alter_column("sent", existing_type=sa.String(1023), type_=sa.String(255), existing_nullable=False)
        table.drop_column("wrong")
