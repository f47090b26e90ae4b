"""The wire languages beside our own: each a pure translation of the log's events, and of what clients say."""
