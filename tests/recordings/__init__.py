"""Logs of real sessions, as their streams gave them: one envelope a line, partials included.

The Python tests and those of the web UI read the same files. `index.json` says what each of them is and the status in
which it ends; `python -m tests.recordings.record` makes them anew.
"""
