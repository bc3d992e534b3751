"""What the secure site keeps: SQLModel tables and migrations, in a database of its own, on SQLite or PostgreSQL."""
