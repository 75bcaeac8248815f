"""`python -m embertown`: the same as the command `embertown`."""

from embertown.cli import main

if __name__ == "__main__":
    main()
