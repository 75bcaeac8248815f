"""The built page: data only, in dist/, made from web/ of the checkout whenever the package is built.

Knows: nothing; files for browsers.
May import: nothing.
Never: holds Python, rules, or files that are kept in git.
"""
