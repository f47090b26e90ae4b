// The client against a real server with the demo agent: start, follow, steer, and learn why it ended.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Envelope, type EventOf, Holdfast, HoldfastError, NetworkError, type Session } from '../src/index.js'
import { freePort, Server, TOKEN } from './server.js'

let server: Server
let holdfast: Holdfast

beforeAll(async () => {
  server = await Server.start()
  holdfast = server.client()
})

afterAll(() => server?.close())

async function start(task: string): Promise<Session> {
  return holdfast.session((await holdfast.run({ task })).session_id)
}

async function all(stream: AsyncIterable<Envelope>): Promise<Envelope[]> {
  const events: Envelope[] = []
  for await (const event of stream) events.push(event)
  return events
}

async function until<Type extends Envelope['type']>(session: Session, type: Type): Promise<EventOf<Type>> {
  for await (const event of session.events()) if (event.type === type) return event as EventOf<Type>
  throw new Error(`${type} never came`)
}

describe('a run', () => {
  test('can be followed from its task to its end', async () => {
    const session = await start('Say hello, slow 0.2')
    const events = await all(session.events())
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
    expect(events[0]).toMatchObject({ type: 'user_message', data: { text: 'Say hello, slow 0.2' } })
    expect(events.at(-1)).toMatchObject({ type: 'agent_complete', data: { stop_reason: 'success' } })
    const record = await session.record()
    expect(record).toMatchObject({ session_id: session.id, status: 'complete', head: events.length, runs: 1 })
  })

  test('tells why it ended to whoever waits for it, before and after', async () => {
    const session = await start('slow 0.3')
    const waiting = await session.end()
    expect(waiting).toMatchObject({ type: 'agent_complete', stop_reason: 'success', status: 'COMPLETE' })
    expect(waiting.termination_info).toEqual({ reason: 'completed', terminated_by: 'agent' })
    expect(await session.end()).toEqual(waiting)
  })

  test('that crashes tells its exit code and what it last wrote [R132]', async () => {
    const end = await (await start('stderr 120 crash 3')).end()
    expect(end).toMatchObject({ type: 'error', stop_reason: 'process_exit', error_type: 'process_exit' })
    const { reason, exit_code, stderr } = end.termination_info
    expect([reason, exit_code]).toEqual(['error', 3])
    expect(stderr).toMatchObject({ truncated: true, total_lines: 126 })
    expect(stderr?.head).toContain('line 1\n')
    expect(stderr?.tail).toContain('asked to crash')
  })

  test('is followed by others of the same session', async () => {
    const session = await start('tools 2')
    const stream = session.events()
    const events = await all(stream)
    await session.task({ task: 'tools 3' })
    // The same stream goes on with what is new.
    events.push(...(await all(stream)))
    await session.task({ task: 'tools 4', max_turns: 5 })
    events.push(...(await all(session.events({ after: events.length }))))
    const types = events.map((event) => event.type)
    expect(types.filter((type) => type === 'agent_complete')).toHaveLength(3)
    expect(types.filter((type) => type === 'tool_complete')).toHaveLength(9)
    expect(events).toEqual(await all(session.events()))
    expect(await all(session.events({ after: events.length }))).toEqual([])
  })

  test('can be cancelled, and resumed', async () => {
    const session = await start('tools 1000 slow 60')
    await until(session, 'tool_start')
    const [end, record] = await Promise.all([session.end(), session.cancel()])
    expect(end).toMatchObject({ type: 'cancelled', stop_reason: 'cancelled', resumable: true })
    expect(record.status).toBe('cancelled')
    await session.resume({ how: 'continue' })
    expect(await until(session, 'agent_complete')).toBeDefined()
  })

  test('can be paused and discarded, and tells its end also behind that', async () => {
    const session = await start('tools 1000 slow 60')
    await until(session, 'tool_start')
    expect((await session.pause()).status).toBe('paused')
    expect((await holdfast.recoverable()).map((record) => record.session_id)).toContain(session.id)
    expect((await session.discard()).status).toBe('cancelled')
    expect(await session.end()).toMatchObject({ type: 'cancelled', stop_reason: 'paused' })
    await expect(session.resume()).rejects.toMatchObject({ code: 'not_resumable', status: 400 })
  })

  test('asks, and goes on with the answer; a second one comes too late', async () => {
    const session = await start('ask')
    const { data } = await until(session, 'permission_request')
    const waiting = (await holdfast.permissions()).find((entry) => entry.session_id === session.id)
    expect(waiting).toMatchObject({ type: 'permission_request', request: { request_id: data.request_id } })
    await session.answer(data.request_id, { decision: 'allow_once' })
    const resolved = await until(session, 'permission_resolved')
    expect(resolved.data).toMatchObject({ request_id: data.request_id, decision: 'allow_once', by: 'local' })
    expect((await session.end()).stop_reason).toBe('success')
    await expect(session.answer(data.request_id, { decision: 'deny' })).rejects.toBeInstanceOf(HoldfastError)
  })

  test('goes on under another profile', async () => {
    const session = await start('tools 1000 slow 60')
    await until(session, 'agent_start')
    await session.profile('careful')
    expect((await until(session, 'profile_switch')).data.profile_name).toBe('careful')
    await expect(session.profile('unheard of')).rejects.toMatchObject({ code: 'unknown_profile' })
    await session.cancel()
  })

  test('is forked only by an agent that can', async () => {
    const session = await start('tools 1')
    await session.end()
    await expect(session.fork({ task: 'tools 2', run: 1 })).rejects.toMatchObject({ code: 'unsupported', status: 422 })
  })
})

describe('the history of a session', () => {
  test('has the same events as the stream, without partials, page by page', async () => {
    const session = await start('tools 20 slow 0.2')
    await session.end()
    const pages: Envelope[][] = []
    for await (const page of session.allHistory({ limit: 7 })) pages.push(page.events)
    expect(pages.length).toBeGreaterThan(3)
    const finals = (await all(session.events())).filter(
      (event) => !('is_partial' in event.data && event.data.is_partial),
    )
    expect(pages.flat()).toEqual(finals)
    expect(await all(session.events({ partials: false }))).toEqual(finals)
    expect((await session.history({ after: 2, limit: 1 })).events[0]?.sequence).toBe(3)
  })
})

describe('the server', () => {
  test('lists sessions by status and agent, page by page', async () => {
    const session = await start('tools 1')
    await session.end()
    const page = await holdfast.sessions({ status: ['complete', 'failed'], agent: 'demo', limit: 1 })
    expect(page.sessions).toHaveLength(1)
    expect(page.position).toBeGreaterThan(0)
    const next = await holdfast.sessions({ status: 'complete', limit: 1, before: page.next })
    expect(next.sessions[0]?.session_id).not.toBe(page.sessions[0]?.session_id)
    expect((await holdfast.sessions({ project_id: 'none' })).sessions).toEqual([])
  })

  test('finds sessions by words', async () => {
    const session = await start('tools 1 for the quokka')
    await session.end()
    const found = await holdfast.sessions({ q: 'quokka tools' })
    expect(found.sessions.map((record) => record.session_id)).toEqual([session.id])
  })

  test('tells what a task can be given', async () => {
    expect((await holdfast.profiles()).find((profile) => profile.default)?.name).toBe('standard')
    await holdfast.session((await holdfast.run({ task: 'tools 1', config: { project_id: 'shop' } })).session_id).end()
    expect(await holdfast.projects()).toContainEqual(expect.objectContaining({ project_id: 'shop', runs: 1 }))
    expect((await holdfast.folders('/')).folders).toContain('tmp')
    await expect(holdfast.folders('/nowhere')).rejects.toMatchObject({ code: 'bad_workspace' })
    expect((await holdfast.folders()).path).toMatch(/^\//)
    expect(await holdfast.me()).toEqual({ user: 'local' })
  })

  test('hands out the files that a run left behind', async () => {
    const session = await start('Say hello, slow 0.2')
    await session.end()
    const [file] = (await session.files({ run: 1 })).files
    if (file === undefined) throw new Error('no file')
    const { text, truncated } = await session.fileText(file.path)
    expect(text).toContain('Say hello')
    expect(truncated).toBe(false)
    expect((await session.file(file.path)).size).toBe(file.size)
    expect(session.fileUrl('a b&c')).toBe(`${server.url}/api/v1/sessions/${session.id}/files/content?path=a+b%26c`)
    await expect(session.fileText('../holdfast.toml')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('gives a session out as a file, and makes a session of one', async () => {
    const session = await start('tools 2')
    const end = await session.end()
    const copy = await holdfast.importSession(await session.export())
    expect(copy.id).not.toBe(session.id)
    expect((await copy.end()).stop_reason).toBe(end.stop_reason)
    const told = (await all(copy.events({ partials: false }))).map((event) => event.type)
    expect(told.at(-1)).toBe('imported')
    await expect(holdfast.importSession(new Blob(['no file']))).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('sums up what runs have cost', async () => {
    await (await start('tools 1')).end()
    const { total, parts } = await holdfast.usage({ by: 'agent', since: '2020-01-01' })
    expect(total.runs).toBeGreaterThan(0)
    expect(parts.map((part) => part.name)).toEqual(['demo'])
    await expect(holdfast.usage({ since: 'yesterday' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('logs a browser in by a token, and out', async () => {
    const cookies: (string | null)[] = []
    const page = server.client({
      token: undefined,
      // What a browser would do by itself.
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers)
        headers.set('origin', server.url)
        const response = await fetch(input, { ...init, headers })
        cookies.push(response.headers.get('set-cookie'))
        return response
      },
    })
    await expect(page.login('wrong')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await page.login(TOKEN)).toBeUndefined()
    expect(await page.logout()).toBeUndefined()
    expect(cookies[1]).toContain('HttpOnly')
    expect(cookies[2]).toContain('Max-Age=0')
  })

  test('tells of its agents and its health', async () => {
    expect((await holdfast.agents()).map((agent) => agent.name)).toContain('demo')
    expect(await holdfast.agent('demo')).toMatchObject({ installed: true, default: true })
    expect((await holdfast.checkAgent('demo')).capabilities).toBeDefined()
    expect(await holdfast.health()).toMatchObject({ status: 'ok', store: 'sqlite' })
  })

  test('tells of all sessions in one stream', async () => {
    const { position } = await holdfast.sessions({ limit: 1 })
    const sessions = await Promise.all([start('tools 3'), start('tools 5')])
    const open = new Set(sessions.map((session) => session.id))
    const positions: number[] = []
    for await (const event of holdfast.events({ after: position })) {
      positions.push(event.position)
      if (event.type === 'agent_complete') open.delete(event.session_id)
      if (open.size === 0) break
    }
    expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other))
  })

  test('refuses with a code and a sentence', async () => {
    await expect(holdfast.session('nobody').record()).rejects.toMatchObject({ code: 'not_found', status: 404 })
    const refused = await holdfast.run({ task: 'x', config: { agent: 'none' } }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(HoldfastError)
    expect(refused).toMatchObject({ code: 'unknown_agent', status: 422 })
    expect(String(refused)).toContain('none')
  })

  test('lets nobody in with a wrong token, and does not say it five times', async () => {
    const stranger = server.client({ token: 'wrong' })
    await expect(stranger.sessions()).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
    await expect(stranger.run({ task: 'x' })).rejects.toMatchObject({ status: 401 })
    await expect(all(stranger.events())).rejects.toMatchObject({ status: 401 })
    expect((await stranger.health()).uptime_s).toBeUndefined()
  })

  test('that is not there is told apart from one that refuses', async () => {
    const nowhere = new Holdfast({ url: `http://127.0.0.1:${await freePort()}`, repeatDelays: [1] })
    await expect(nowhere.sessions()).rejects.toBeInstanceOf(NetworkError)
    await expect(nowhere.run({ task: 'x' })).rejects.toMatchObject({ code: 'unreachable', status: 0 })
  })

  test('can be asked for anything else', async () => {
    const ticket = await holdfast.request<{ ticket: string }>('POST', '/tickets')
    expect(ticket.ticket).not.toBe('')
  })
})
