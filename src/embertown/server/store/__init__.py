"""The store: what the server has to remember, in a database, and never forgets.

Knows: tables and their logs, seats, links, guests; how they are written (`writer`), read (`queries`), changed
(`changes`: rows and statements for the writer), kept across versions (`database`, `migrations`) and copied (`backup`).
May import: core.
Never: what an entry means; a secret in the clear where its hash will do; a log's entry changed or deleted alone.
"""
