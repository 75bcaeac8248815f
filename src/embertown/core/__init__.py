"""The core: what every game and everything above them stands on.

Knows: the game protocol, chance, errors, edition files, log, record, match, processes, compiled kernels.
May import: nothing of the project.
Never: a rule of a game, or global randomness.
"""
