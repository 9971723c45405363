"""The command `bristle` of the package, also as `python -m bristle`."""

import os
import signal
import sys

from . import _bristle


def main() -> int:
    """Run the command with the program's arguments and return its exit code."""
    # Ctrl-C ends the program, which runs in Rust.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _bristle.main([os.path.basename(sys.argv[0]), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
