"""Training: networks that learn the games by playing against themselves.

Knows: self-play on the games' own kernels, on the CPU and on a GPU; learning; what a network is written down as.
May import: bots, games, cronberg, drunter, core; torch and its Triton (the extra `train`), which no other room may.
Never: a rule, a secret that a view would not show, global randomness.
"""
