// Whatever the server can be asked, the client can ask: compared with the server's own OpenAPI document.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Holdfast } from '../src/index.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
// For what cannot send headers, which fetch can; and what is set up once, over `request`.
const isNotNeeded = (route: string) => route === 'POST /api/v1/tickets' || route.includes(' /api/v1/webhooks')

function documented(): string[] {
  const python = process.env.PYTHON ?? here('../../../.venv/bin/python')
  const document = JSON.parse(execFileSync(python, [here('../scripts/openapi.py')]).toString()) as {
    paths: Record<string, Record<string, unknown>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

test('every route of the document has its method', async () => {
  const asked = new Set<string>()
  const holdfast = new Holdfast({
    url: 'http://server',
    fetch: async (input, init) => {
      asked.add(`${init?.method ?? 'GET'} ${decodeURIComponent(new URL(String(input)).pathname)}`)
      return Response.json({ sessions: [], permissions: [], agents: [], profiles: [], projects: [], events: [] })
    },
  })
  const session = holdfast.session('{session_id}')
  await Promise.all([
    holdfast.run({ task: 'x' }),
    ...[holdfast.sessions(), holdfast.recoverable(), holdfast.permissions(), holdfast.health(), holdfast.me()],
    ...[holdfast.agents(), holdfast.agent('{name}'), holdfast.checkAgent('{name}')],
    ...[holdfast.profiles(), holdfast.projects(), holdfast.folders(), holdfast.login('x'), holdfast.logout()],
    ...[session.record(), session.task({ task: 'x' }), session.resume(), session.fork({ task: 'x' })],
    ...[session.cancel(), session.pause(), session.discard(), session.profile('x'), session.answer('{request_id}', {})],
    ...[session.history(), session.files(), session.file('x'), session.fileText('x'), session.export()],
    ...[holdfast.usage(), holdfast.importSession(new Blob())],
    // An answer that is no stream: the loops end, but they have asked.
    holdfast
      .events({ delays: [] })
      [Symbol.asyncIterator]()
      .next()
      .catch(() => {}),
    session
      .events({ delays: [] })
      [Symbol.asyncIterator]()
      .next()
      .catch(() => {}),
  ])
  expect([...asked].sort()).toEqual(
    documented()
      .filter((route) => !isNotNeeded(route))
      .sort(),
  )
})
