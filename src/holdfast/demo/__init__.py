"""The demo agent: a real ACP v1 agent without a model, which works a little and misbehaves on request.

Rule: only the standard library, and little of it. A newcomer's first session waits for this program to start,
so `typing`, `dataclasses`, `pathlib` and `asyncio` stay out, and `subprocess` comes when a command is run.

    wire      lines over file descriptors         words         a prompt's words, read (pure)
    rpc       JSON-RPC over the wire              misbehaviour  what the words do
    agent     the ACP methods                     permission    the word `ask`
    store     sessions on disk                    orphans       the word `orphan`
    turn      one prompt being worked on          show          what a prompt without words gets
    record    what a turn leaves in the history   note, shell   its tools
    pace      spreads steps over time
"""
