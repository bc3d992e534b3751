"""One adapter per namespace, all with the interface of `adapter.py`. A new namespace is a folder of its own here.

Folders are named after their namespace and offer `open_adapter`; `registry.py` finds them. Importing one is cheap: what signs, builds
and decodes is imported when it is first needed, off the event loop (`lazily.py`).
"""
