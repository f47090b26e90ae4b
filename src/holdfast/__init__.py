"""Holdfast runs coding agents as durable sessions behind HTTP."""

__version__ = "0.1.0"
