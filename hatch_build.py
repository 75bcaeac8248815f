"""Hatchling's hook: the page is built before a wheel is made, also for an editable installation."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SKIP = "EMBERTOWN_SKIP_WEB"
"""An environment variable: where it is set, no page is built, and one that is there is taken as it is."""


class WebHook(BuildHookInterface[BuilderConfig]):
    """Builds web/ into the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; a failure ends the build with a sentence."""
        del version, build_data
        if self.target_name != "wheel" or os.environ.get(SKIP):
            return
        sys.path.insert(0, str(Path(self.root)))
        try:
            from tools import webbuild
        finally:
            sys.path.pop(0)
        try:
            webbuild.build()
        except webbuild.WebFailed as failed:
            sys.exit(f"The page could not be built: {failed} {SKIP}=1 goes without it.")
