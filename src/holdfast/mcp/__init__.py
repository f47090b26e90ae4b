"""Sessions as tools of the Model Context Protocol, so that an agent can start, watch, answer and stop other agents.

    tool, tools   what there is, with schemas         call        who calls
    reading       the tools that change nothing       own         the session that this process works for
    watching      waits for news                      resources   a session as a text
    working       the tools that start, steer, stop   server      all of it as a server of the SDK
    entries       events in few words (pure)          stdio       the server on stdin and stdout
    gathering     as many of them as an answer holds
    shapes        what the tools answer

Rule 1: the SDK is an extra, and costs a second and tens of megabytes to import: only `server` and `stdio` do so.
Rule 2: the tools talk to a server through holdfast.client, with its caller's token, and can do what its user can.
Rule 3: answers are short, since they fill an agent's context; what is cut says how to get the rest.
"""
