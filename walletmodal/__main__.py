"""`python -m walletmodal`."""

import sys

from walletmodal.operator import main

if __name__ == "__main__":
    sys.exit(main())
