"""The process table of this system, by the one module that knows it."""

import sys

if sys.platform == "darwin":
    from tma.adapters.procs.darwin import Table
else:
    from tma.adapters.procs.linux import Table

__all__ = ["Table"]
