"""The log: the only truth. Sequence is given out at commit, and nothing is read that is not committed."""
