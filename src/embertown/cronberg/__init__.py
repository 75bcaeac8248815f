"""Cronberg, by Roland and Tobias Goslar: rules C1 to C8.

Knows: its board, rules, texts, records, pictures and editions.
May import: core.
Never: the other game, a bot, a server.
"""
