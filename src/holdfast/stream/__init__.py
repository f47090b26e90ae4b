"""Streams: the log goes out to clients. A reader is a cursor, nothing else; this side never writes to the log."""
