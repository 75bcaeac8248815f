"""Drunter & Drüber, by Klaus Teuber: rules D1 to D9.

Knows: its board, rules, texts, records, pictures and editions.
May import: core.
Never: the other game, a bot, a server.
"""
