"""What outlives a process: SQLModel tables, sessions and migrations, on SQLite or PostgreSQL."""
