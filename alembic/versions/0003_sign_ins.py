"""The tables of sign-ins, and of the keys of their tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("origin", sa.String(255), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("request_id", sa.String(256), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("nonce", sa.String(128), nullable=False, unique=True),
        sa.Column("issued_at", sa.BigInteger(), nullable=False),
        sa.Column("proven_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_sign_ins_holder", "sign_ins", ["holder", "origin"])
    op.create_index("ix_sign_ins_address", "sign_ins", ["address", "chain"])
    op.create_index("ix_sign_ins_expires_at", "sign_ins", ["expires_at"])
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False, unique=True),
        sa.Column("private", sa.Text(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("signing_keys")
    op.drop_index("ix_sign_ins_expires_at", table_name="sign_ins")
    op.drop_index("ix_sign_ins_address", table_name="sign_ins")
    op.drop_index("ix_sign_ins_holder", table_name="sign_ins")
    op.drop_table("sign_ins")
