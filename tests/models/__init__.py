"""A scripted model API on loopback, for tests that run real agents: Anthropic's /v1/messages (and count_tokens),
OpenAI's /v1/chat/completions and /v1/responses, streamed or not.

Which script it plays says a marker in the newest prompt, e.g. do("shell", command="touch made.txt"):

    [[do:shell command="touch made.txt"]]         a quoted value is a JSON string; do() writes it

A script is a list of steps, one for each answer of the model. The step follows from the messages behind the marker,
so nothing is remembered, and a session that is resumed or forked goes on where it was. Behind its last step the model
says "That is all."; without a marker "ok". `shell`, `write` and `todos` use whatever tool the agent has for it.

    text [text= pieces=5 delay=0]                 a text in pieces, `delay` seconds apart
    think [thinking= text=]                       thinking, then text
    shell [command="touch made.txt" text=]        text, a shell command, text
    write [path=written.txt content=]             text, a new file, text
    parallel [count=2 command="touch made-{n}.txt"]   several commands in one answer
    tool name= [input={}]                         any tool by its name, one that does not exist too
    subagent [prompt= type=general-purpose background=true|false name=Agent]   prompt: with a marker of its own
    todos [finish=true]                           TodoWrite, or codex's plan: two things, step by step
    tasks                                         TaskCreate twice, TaskUpdate in_progress, TaskUpdate completed
    question [question= multiple=false]           AskUserQuestion: Red or Blue
    structured value= [wrong=0]                   the structured output, after `wrong` that do not fit the schema
    loop [count=1000 command= input= output=]     a command again and again; tokens of each answer
    big [bytes=2000000 what=text|tool pieces=20 path=big.txt]    a big text, or a file with big content
    full [input=1000000 output=1000 text=]        text; its usage fills the context: Claude Code compacts next
    slow [pieces=200 delay=0.1]                   a text that takes 20 s
    wait [seconds=1]                              nothing at all for a while, then text
    hold id= [at=text text= command=]             waits until the test releases it; at is where:
                                                  start (no byte was sent) | thinking | text (after the first half) |
                                                  tool (half of the arguments) | result (after the tool) | end
    hang [at=start]                               the same, for ever
    error [status=500 type= message= headers={} retry_after= limit=five_hour reset=3600]
                                                  type and message follow from the status; `limit` adds the headers of
                                                  a usage limit that is reached
    credit-too-low, prompt-too-long               two errors with status 400
    warning [limit=five_hour used=0.92 reset=3600]    a text with the headers of a usage limit that is near
    fail [times=1 first=MARKER then=MARKER id= + the arguments of error]
                                                  so often an error (or `first`), then text (or `then`)
    drop [pieces=8]                               breaks the connection in the middle of a text
    break [pieces=8 type=overloaded_error message=]   an error event in the middle of a text
    empty                                         an answer without content
    max-tokens [text=], refusal [text=]           answers with these stop reasons, however often it is asked

More are made of the actions in actions.py: models.add([[Think(text="…"), Shell(command="touch a")], [Say(text="…")]])
gives a marker. With the fixtures of tests/real (see client.py for all):

    hold = models.hold(at="text")                 a hold of its own
    session = client.run_task(hold.marker, agent="goose")
    hold.until_reached()                          the first half was sent, and nothing more comes
    hold.release()
    models.failing(2, status=529, then=do("shell"))    a marker that counts for itself
    models.until_request("text")                  the request itself; .messages, .tools, .headers, .step, .ended
    models.requests("text")                       agents ask for other things too (titles: script "", "compaction")
    models.body(request)                          all of it, as it came

Over HTTP: GET /_models/state?after=&version=&wait=, GET /_models/bodies/NUMBER, POST /_models/holds/ID,
PUT /_models/scripts/NAME.
"""
