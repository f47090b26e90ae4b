"""Sessions: commands go in, events go to the log. This side writes and never serves a reader."""
