"""One adapter per namespace, all with the interface of `adapter.py`. A new namespace touches only its own file (design §5)."""
