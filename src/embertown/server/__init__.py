"""The server: tables that people and bots play at, over HTTP and WebSockets.

Knows: who sits where, the log of every table, and what may leave to whom.
May import: bots, games, core; a game's own room never, only what every game offers.
Never: a rule; a state that is not rebuilt from its log; a secret that does not go through a view.
"""
