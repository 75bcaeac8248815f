"""The command line: thin commands, and a game at the terminal.

Knows: what people type, what they are told, exit codes.
May import: every room but web, and only when a command runs: `embertown --help` compiles nothing.
Never: a rule, a traceback.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; every way out has an exit code, none a traceback."""
    from embertown.cli.screen import INTERRUPTED, PIPE_CLOSED, be_robust, close_quietly

    try:
        be_robust()
        from embertown.cli.app import app

        app(prog_name="embertown")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(PIPE_CLOSED)
    finally:
        close_quietly()
