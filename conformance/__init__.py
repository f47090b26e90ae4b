"""The conformance suite: cases as data that any Holdfast server and any client of one can be held to.

case, steps       what a case may say                      faults, damage   the proxy, and what it does to answers
play              one round of one case                    stand_in         a scripted server for what no real one does
checks, wire      what came, compared with what should     reference        the log itself, read past the client
awaited           whether what a step waits for has come   names, logs      what cases call sessions, and share of them
driver, drivers/  a client, spoken to over JSON lines      servers, rounds  what it runs against, and how often
"""
