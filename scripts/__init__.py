"""What the Makefile runs: one module per command, and what they share.

`setup` runs on any Python 3.11 with the standard library alone; every other module runs in the project's virtual environment.
Nothing of the product lives here: the product never imports `scripts`.
"""
