"""`python -m bristle`: the command `bristle`."""

import sys

from ._command import main

sys.exit(main())
