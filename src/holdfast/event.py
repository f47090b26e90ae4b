"""What all events have in common."""

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The payload (`data`) of one event; its type's wire name is the struct's tag in TYPES."""
