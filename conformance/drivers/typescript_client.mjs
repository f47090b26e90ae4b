// The TypeScript client, in plain Node, as a driver; conformance/README.md has the protocol of its lines.
import { createInterface } from 'node:readline'
import { load } from '../../clients/typescript/scripts/built.mjs'

const { Holdfast, HoldfastError } = await load()
const clients = new Map()
const followed = new Map()

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

function problem(error) {
  if (error instanceof HoldfastError) return { code: error.code, status: error.status, detail: error.detail }
  return { code: error?.name ?? 'Error', status: 0, detail: String(error?.stack ?? error) }
}

const doing = {
  open({ client, url, token, delay_ms, quiet_s }) {
    const repeatDelays = Array(100).fill(delay_ms)
    const patience = { delays: [delay_ms], giveUpAfterMs: Number.POSITIVE_INFINITY }
    const options = { ...patience, ...(quiet_s && { quietMs: quiet_s * 1000 }) }
    clients.set(client, { holdfast: new Holdfast({ url, token, repeatDelays }), options })
    return {}
  },
  close({ client }) {
    clients.get(client).holdfast.close()
    clients.delete(client)
    return {}
  },
  async run({ client, body }) {
    const { task, config } = body
    return { session_id: (await clients.get(client).holdfast.run(task, config)).id }
  },
  async fork({ session_id, client, body }) {
    const { task, ...config } = body
    return { session_id: (await session(client, session_id).fork(task, config)).id }
  },
  task({ session_id, client, body }) {
    const { task, ...config } = body
    return session(client, session_id).task(task, config)
  },
  answer: ({ session_id, client, request_id, body }) => session(client, session_id).answer(request_id, body),
  resume: ({ session_id, client, body }) => session(client, session_id).resume(body),
  cancel: ({ session_id, client }) => session(client, session_id).cancel(),
  pause: ({ session_id, client }) => session(client, session_id).pause(),
  discard: ({ session_id, client }) => session(client, session_id).discard(),
  record: ({ session_id, client }) => session(client, session_id).record(),
  end: ({ session_id, client }) => session(client, session_id).end(clients.get(client).options),
  async history({ session_id, client }) {
    const events = []
    for await (const page of session(client, session_id).allHistory({ limit: 100 })) events.push(...page.events)
    return { events }
  },
  // A stream that has ended meanwhile can be released and left all the same.
  release({ follow }) {
    followed.get(follow)?.release()
    return {}
  },
  leave({ follow }) {
    followed.get(follow)?.stream.close()
    return {}
  },
}

function session(client, id) {
  return clients.get(client).holdfast.session(id)
}

async function follow({ id, client, session_id, after, partials, hold }) {
  const { holdfast, options } = clients.get(client)
  const told = {
    ...options,
    ...(after !== null && { after }),
    onState: (state) => say({ id, state }),
    onNotice: (notice) => say({ id, notice }),
  }
  const stream = session_id === null ? holdfast.events(told) : holdfast.session(session_id).events({ ...told, partials })
  let release = () => {}
  const held = hold
    ? new Promise((resolve) => {
        release = resolve
      })
    : undefined
  followed.set(id, { stream, release })
  try {
    for await (const events of stream.batches()) {
      say({ id, events })
      // While it is held, nothing more is asked of the client.
      await held
    }
    say({ id, ok: {} })
  } catch (error) {
    say({ id, error: problem(error) })
  } finally {
    followed.delete(id)
  }
}

async function answer(said) {
  try {
    say({ id: said.id, ok: (await doing[said.do](said)) ?? {} })
  } catch (error) {
    say({ id: said.id, error: problem(error) })
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line)
  if (said.do === 'follow') void follow(said)
  else void answer(said)
}
for (const { holdfast } of clients.values()) holdfast.close()
