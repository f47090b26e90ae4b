"""Agents: the programs that work, and the adapters that speak their languages."""
