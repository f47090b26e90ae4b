// Requests that break on the way: what is repeated takes effect once.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Holdfast, NetworkError } from '../src/index.js'
import { CuttingProxy } from './cutting_proxy.js'
import { nothing, problem, ScriptedServer } from './scripted_server.js'
import { Server, TOKEN } from './server.js'

let server: Server
const closing: { close(): void }[] = []

beforeAll(async () => {
  server = await Server.start()
})

afterAll(() => server?.close())

afterEach(() => {
  vi.unstubAllGlobals()
  for (const one of closing.splice(0)) one.close()
})

async function proxied(...budgets: number[]): Promise<{ proxy: CuttingProxy; holdfast: Holdfast }> {
  const proxy = await new CuttingProxy(server.port, () => budgets.shift() ?? Number.POSITIVE_INFINITY).listen()
  closing.push(proxy)
  return { proxy, holdfast: new Holdfast({ url: proxy.url, token: TOKEN, repeatDelays: [1, 2, 3] }) }
}

async function scripted(...answers: ConstructorParameters<typeof ScriptedServer>): Promise<ScriptedServer> {
  const one = await new ScriptedServer(...answers).listen()
  closing.push(one)
  return one
}

describe('a request', () => {
  test('whose answers were lost starts one run', async () => {
    const { proxy, holdfast } = await proxied(1, 20, 150)
    const { session_id } = await holdfast.run({ task: 'tools 1', config: { project_id: 'lost answers' } })
    expect(proxy.cuts).toBe(3)
    const session = server.client().session(session_id)
    await session.end()
    expect((await session.record()).runs).toBe(1)
  })

  test('is repeated only so often', async () => {
    const { proxy, holdfast } = await proxied(1, 1, 1, 1)
    await expect(holdfast.run({ task: 'tools 1' })).rejects.toBeInstanceOf(NetworkError)
    expect(proxy.cuts).toBe(4)
  })

  test('that only asks is repeated once', async () => {
    const { proxy, holdfast } = await proxied(1)
    expect((await holdfast.me()).user).toBe('local')
    expect(proxy.cuts).toBe(1)
    const twice = await proxied(1, 1)
    await expect(twice.holdfast.sessions()).rejects.toBeInstanceOf(NetworkError)
    expect(twice.proxy.cuts).toBe(2)
  })

  test('with a key of its own takes effect once, however often it is made', async () => {
    const holdfast = server.client()
    const [one, other] = [
      await holdfast.run({ task: 'tools 1' }, { idempotencyKey: 'mine' }),
      await holdfast.run({ task: 'tools 1' }, { idempotencyKey: 'mine' }),
    ]
    expect(other).toEqual(one)
    await expect(holdfast.run({ task: 'tools 2' }, { idempotencyKey: 'mine' })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
  })

  test('gets a new key each time, also where there is no randomUUID', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const one = await scripted(nothing)
    const holdfast = new Holdfast({ url: `${one.url}/` })
    await holdfast.session('a').cancel()
    await holdfast.session('a').cancel()
    const keys = one.requests.map((request) => request.headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(String(key)))).toBe(true)
    expect(one.requests.map((request) => request.url)).toEqual(Array(2).fill('/api/v1/sessions/a/cancel'))
  })

  test('is repeated with the same key while the server is about to stop', async () => {
    const one = await scripted(problem(503, 'shutting_down'), nothing)
    await new Holdfast({ url: one.url, repeatDelays: [1] }).session('a/b').cancel()
    const [first, second] = one.requests.map((request) => request.headers['idempotency-key'])
    expect(second).toBe(first)
    expect(one.requests[0]?.url).toBe('/api/v1/sessions/a%2Fb/cancel')
  })

  test('can be given up, also between two repetitions', async () => {
    const one = await scripted(problem(503, 'shutting_down'))
    const leave = new AbortController()
    const asked = new Holdfast({ url: one.url, repeatDelays: [30_000] }).run({ task: 'x' }, { signal: leave.signal })
    await vi.waitUntil(() => one.requests.length === 1, { timeout: 30_000 })
    setTimeout(() => leave.abort(), 20)
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('that is never answered ends after its time', async () => {
    const one = await scripted(() => {})
    const asked = new Holdfast({ url: one.url }).request('GET', '/sessions', { timeoutMs: 50 })
    await expect(asked).rejects.toThrow('did not answer in time')
  })

  test('that is never answered is not repeated beyond its time', async () => {
    const one = await scripted(() => {})
    const holdfast = new Holdfast({ url: one.url, repeatDelays: [1, 1, 1] })
    // Time enough for it to arrive, however busy the machine is.
    const asked = holdfast.request('POST', '/sessions/run', { timeoutMs: 4_000 })
    await expect(asked).rejects.toBeInstanceOf(NetworkError)
    expect(one.requests).toHaveLength(1)
  })

  test('that something else answers says so', async () => {
    const one = await scripted((response) => response.end('<html>'))
    await expect(new Holdfast({ url: one.url }).health()).rejects.toMatchObject({ code: 'foreign' })
  })

  test('sends the token as a header and never in the address', async () => {
    const one = await scripted(nothing)
    await new Holdfast({ url: one.url, token: 'secret' }).sessions({ agent: ['a', 'b'], limit: 3 })
    expect(one.requests[0]?.headers.authorization).toBe('Bearer secret')
    expect(one.requests[0]?.url).toBe('/api/v1/sessions?agent=a&agent=b&limit=3')
  })
})
