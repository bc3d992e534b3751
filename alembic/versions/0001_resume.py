"""The table of resume records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "resume",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_resume_expires_at", "resume", ["expires_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_resume_expires_at", table_name="resume")
    op.drop_table("resume")
