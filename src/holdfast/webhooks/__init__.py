"""Webhooks: what happens in sessions, told to addresses that users name; at least once, in order, signed."""
