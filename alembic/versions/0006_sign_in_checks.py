"""When the contract account of a sign-in was last asked whether it signed; nothing where a key signed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; of the sign-ins that there are nobody knows who signed, so all that a contract may have signed are asked about again."""
    op.add_column("sign_ins", sa.Column("checked_at", sa.BigInteger(), nullable=True))
    op.execute(sa.text("UPDATE sign_ins SET checked_at = proven_at WHERE chain LIKE 'eip155:%'"))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("sign_ins") as table:
        table.drop_column("checked_at")
