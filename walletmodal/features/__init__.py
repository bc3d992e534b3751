"""One folder per capability: state, views, and what only it needs. A feature reaches another only through its state class."""
