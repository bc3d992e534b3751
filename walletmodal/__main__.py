"""`walletmodal`, also as `python -m walletmodal`."""

import sys

from walletmodal.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
