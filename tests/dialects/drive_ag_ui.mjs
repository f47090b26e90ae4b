// Drives a server with the official client `@ag-ui/client` and tells what came, as JSON on stdout.
import { pathToFileURL } from "node:url";

const [module, baseUrl, token] = process.argv.slice(2);
const { HttpAgent } = await import(pathToFileURL(module));

function open(threadId, fetchIt) {
  const url = `${baseUrl}/ag-ui/demo`;
  return new HttpAgent({ url, threadId, headers: { Authorization: `Bearer ${token}` }, fetch: fetchIt });
}

async function run(agent, said, more = {}) {
  const events = [];
  const errors = [];
  if (said !== undefined) agent.addMessage({ id: `said-${agent.messages.length}`, role: "user", content: said });
  const watching = {
    onEvent: ({ event }) => void events.push(event.type),
    onRunErrorEvent: ({ event }) => void errors.push(event),
  };
  try {
    const { result, newMessages } = await agent.runAgent(more, watching);
    return { result, newMessages, events, errors, interrupts: agent.pendingInterrupts, state: agent.state };
  } catch (error) {
    return { broken: String(error), events, errors };
  }
}

// A network that breaks the answer after some bytes, in the middle of whatever it carries.
const breaking = (bytes) => async (url, init) => {
  const response = await fetch(url, init);
  const reader = response.body.getReader();
  let left = bytes;
  const body = new ReadableStream({
    async pull(controller) {
      const { value } = await reader.read();
      controller.enqueue(value.subarray(0, left));
      left -= value.length;
      if (left > 0) return;
      await reader.cancel();
      controller.error(new Error("the network broke"));
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};

// When the network breaks, the client rejects for whoever waits, and once more for nobody.
process.on("unhandledRejection", (error) => {
  if (error?.message !== "the network broke") throw error;
});

const told = {};
const thread = `driven-${Date.now()}`;
const one = open(thread);
told.shown = await run(one, "List what is here, slow 0.1");
told.asked = await run(one, "ask");
const resume = one.pendingInterrupts.map(({ id }) => {
  return { interruptId: id, status: "resolved", payload: { approved: true } };
});
told.allowed = await run(one, undefined, { resume });
told.crash = await run(one, "crash 3");
told.after = await run(one, "tools 2");

const cut = open(`${thread}-cut`, breaking(4000));
told.broken = await run(cut, "slow 1 flood 200 tools 10", { runId: "cut" });
const again = open(`${thread}-cut`);
told.again = await run(again, "slow 1 flood 200 tools 10", { runId: "cut" });
told.whole = await (await fetch(`${baseUrl}/ag-ui/demo/threads/${thread}-cut/events`, {
  headers: { Authorization: `Bearer ${token}` },
})).text();

told.refused = await run(new HttpAgent({ url: `${baseUrl}/ag-ui/nobody`, headers: one.headers }), "hello");
console.log(JSON.stringify(told));
process.exit(0);
