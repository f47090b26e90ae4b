"""Measures Holdfast against the obvious design and against bare asyncio, in one run: `python -m bench --help`."""
