"""Of whom the recovery service is still to be told the address."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("wallets", sa.Column("address_due", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_wallets_address_due", "wallets", ["address_due"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_wallets_address_due", "wallets")
    op.drop_column("wallets", "address_due")
