"""Tests of the page in a real Chromium; a package, so that fixtures can last as long as this folder."""
