"""Whether the SDK of the Model Context Protocol is there: it comes with an extra."""

import importlib.util

MISSING = 'The Model Context Protocol needs the extra "mcp": install it with `pip install "holdfast[mcp]"`.'


def is_installed() -> bool:
    return importlib.util.find_spec("mcp") is not None
