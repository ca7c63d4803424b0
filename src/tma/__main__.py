"""Run the command line as ``python -m tma``."""

from tma.cli.main import main

main()
