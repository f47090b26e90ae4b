// Drives a server with the published client `acp-http-client` and tells what came, as JSON on stdout.
import { pathToFileURL } from "node:url";

const [module, baseUrl, token, cwd] = process.argv.slice(2);
const { AcpHttpClient, AcpRpcError } = await import(pathToFileURL(module));

function open(name, { cutsAfter = Number.POSITIVE_INFINITY } = {}) {
  const seen = { updates: [], notices: [], asked: [], streams: 0 };
  const client = new AcpHttpClient({
    baseUrl,
    token,
    transport: { path: `/v1/acp/${name}`, bootstrapQuery: { agent: "demo" } },
    // A network that breaks each stream after some bytes, in the middle of whatever it carries.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init.method !== "GET" || !Number.isFinite(cutsAfter)) return response;
      seen.streams += 1;
      let left = cutsAfter;
      const body = response.body.pipeThrough(
        new TransformStream({
          transform(chunk, controller) {
            controller.enqueue(chunk.subarray(0, left));
            left -= chunk.length;
            if (left <= 0) controller.terminate();
          },
        }),
      );
      return new Response(body, { status: response.status, headers: response.headers });
    },
    client: {
      sessionUpdate: async (notification) => void seen.updates.push(notification),
      requestPermission: async (request) => {
        seen.asked.push(request);
        return { outcome: { outcome: "selected", optionId: request.options[0].optionId } };
      },
      extNotification: async (method, params) => void seen.notices.push({ method, params }),
    },
  });
  return { client, seen };
}

async function refusal(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return { isRpcError: error instanceof AcpRpcError, code: error.code, message: error.message };
  }
}

async function until(condition) {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("not within 30 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const said = (text) => [{ type: "text", text }];
const told = {};

const one = open("driven-one");
told.initialized = await one.client.initialize({ clientCapabilities: {} });
const { sessionId } = await one.client.newSession({ cwd, mcpServers: [] });
told.sessionId = sessionId;
told.answer = await one.client.prompt({ sessionId, prompt: said("flood 20 tools 2 ask") });
told.updates = one.seen.updates;
told.asked = one.seen.asked;
told.busy = one.client.prompt({ sessionId, prompt: said("tools 2 slow 600") });
await until(() => one.seen.updates.some(({ update }) => update.title === "tools 2 slow 600"));
told.second = await refusal(one.client.prompt({ sessionId, prompt: said("me too") }));
await one.client.cancel({ sessionId });
told.busy = await told.busy;
told.unknown = await refusal(one.client.loadSession({ sessionId: "nowhere", cwd, mcpServers: [] }));
told.noMethod = await refusal(one.client.extMethod("_no/such", {}));

// More than the longest frame, or nothing would ever come whole; and little enough even if all is told at once.
const cut = open("driven-cut", { cutsAfter: 2300 });
await cut.client.initialize({});
const other = (await cut.client.newSession({ cwd, mcpServers: [] })).sessionId;
told.cutAnswer = await cut.client.prompt({ sessionId: other, prompt: said("slow 2 flood 200 tools 10") });
told.cutUpdates = cut.seen.updates;
told.cutStreams = cut.seen.streams;

const late = open("driven-late");
await late.client.initialize({});
told.loaded = await late.client.loadSession({ sessionId: other, cwd, mcpServers: [] });
told.loadedUpdates = [...late.seen.updates];
await late.client.unstableResumeSession({ sessionId, cwd, mcpServers: [] });
told.crash = await refusal(late.client.prompt({ sessionId, prompt: said("crash 3") }));
const ended = ({ params }) => params.session_id === sessionId && params.data.reason === "error";
await until(() => one.seen.notices.some(ended) && late.seen.notices.some(ended));
told.ended = one.seen.notices.find(ended);
told.list = await late.client.listSessions({ cwd });

for (const { client } of [one, cut, late]) await client.disconnect();
console.log(JSON.stringify(told));
process.exit(0);
