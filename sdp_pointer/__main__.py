"""`python -m sdp_pointer` and the console script `sdp-pointer`."""

import sys

from sdp_pointer.commands import main

if __name__ == "__main__":
    sys.exit(main())
