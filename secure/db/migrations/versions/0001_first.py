"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("address_key", sa.String(64), nullable=False, unique=True),
        sa.Column("address", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "wallets",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("evm", sa.String(64), nullable=False),
        sa.Column("solana", sa.String(64), nullable=False),
        sa.Column("half", sa.LargeBinary(), nullable=False),
        sa.Column("box", sa.String(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "halves",
        sa.Column("user", sa.String(32), primary_key=True),
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("half", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("site", sa.String(255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_sessions_user", "sessions", ["user"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "attempts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("purpose", sa.String(16), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("address_key", sa.String(64), nullable=False),
        sa.Column("address", sa.LargeBinary(), nullable=False),
        sa.Column("following", sa.LargeBinary(), nullable=False),
        sa.Column("code", sa.LargeBinary(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("words", sa.String(32), nullable=False),
        sa.Column("asked_by", sa.String(255), nullable=False),
        sa.Column("approval", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_attempts_address_key", "attempts", ["address_key"])
    op.create_index("ix_attempts_approval", "attempts", ["approval"])
    op.create_index("ix_attempts_expires_at", "attempts", ["expires_at"])
    op.create_table(
        "addresses",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.String(255), nullable=False),
        sa.Column("killed_at", sa.BigInteger(), nullable=False),
        sa.Column("frozen_until", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_addresses_asked_at", "addresses", ["asked_at"])
    op.create_table(
        "refusals",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("address_key", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_refusals_expires_at", "refusals", ["expires_at"])
    op.create_table(
        "grants",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_grants_expires_at", "grants", ["expires_at"])
    op.create_table(
        "notices",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("address", sa.LargeBinary(), nullable=False),
        sa.Column("detail", sa.String(255), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_notices_due_at", "notices", ["due_at"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
    )
    op.create_index("ix_audit_at", "audit", ["at"])


def downgrade() -> None:
    """Take back."""
    for table in (
        *("audit", "notices", "grants", "refusals", "addresses", "attempts"),
        *("sessions", "halves", "wallets", "users", "secrets"),
    ):
        op.drop_table(table)
