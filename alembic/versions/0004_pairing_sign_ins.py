"""A nonce of a pairing is signed once for each of its networks: it is unique together with the network, no longer alone."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NAMES = {"uq": "%(table_name)s_%(column_0_name)s_key"}
"""What PostgreSQL called the constraint of 0003, which had no name; SQLite knows it only by its place in the table."""
_ALONE, _TOGETHER = "sign_ins_nonce_key", "uq_sign_ins_nonce_chain"


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("sign_ins", naming_convention=_NAMES) as table:
        table.drop_constraint(_ALONE, type_="unique")
        table.create_unique_constraint(_TOGETHER, ["nonce", "chain"])


def downgrade() -> None:
    """Take back; of several sign-ins by one nonce the first stays."""
    op.execute(
        sa.text(
            "DELETE FROM sign_ins WHERE EXISTS (SELECT 1 FROM sign_ins AS other"
            " WHERE other.nonce = sign_ins.nonce AND other.id < sign_ins.id)"
        )
    )
    with op.batch_alter_table("sign_ins", naming_convention=_NAMES) as table:
        table.drop_constraint(_TOGETHER, type_="unique")
        table.create_unique_constraint(_ALONE, ["nonce"])
