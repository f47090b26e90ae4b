import type { Envelope } from 'holdfast-client'
import { describe, expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import { Log } from './testing/log'
import { kinds, notes, texts } from './testing/look'

describe('a run', () => {
  it('begins with its task and ends with why it ended', () => {
    const log = new Log().user('Add a test').said('Done.').complete({ num_turns: 2, total_cost_usd: 0.5, model: 'm' })
    const conversation = fold(EMPTY, log.events)
    expect(kinds(conversation.items)).toEqual(['user', 'text', 'end'])
    expect(conversation.runs).toMatchObject([{ number: 1, first: 1, last: 3, task: 'Add a test' }])
    expect(conversation.runs[0]!.end).toMatchObject({ type: 'agent_complete', stopReason: 'success', turns: 2 })
    expect(conversation.facts).toMatchObject({ costUsd: 0.5, model: 'm' })
    expect(conversation.head).toBe(3)
  })

  it('that goes on has the task of the one before', () => {
    const log = new Log().user('Add a test').crash().user('Continue.', { resume: 'continue' })
    const { runs, items } = fold(EMPTY, log.events)
    expect(runs.map((run) => [run.number, run.task, run.end?.type ?? null])).toEqual([
      [1, 'Add a test', 'error'],
      [2, 'Add a test', null],
    ])
    expect(items.map((item) => item.run)).toEqual([1, 1, 2])
    expect(items[2]).toMatchObject({ kind: 'user', resume: 'continue' })
  })

  it('counts what was read from a cache among the tokens that went in', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 4 }
    const { runs } = fold(EMPTY, new Log().user('Go').complete({ usage }).events)
    expect(runs[0]!.end).toMatchObject({ inputTokens: 240, outputTokens: 4 })
  })

  it('that was discarded can no longer be resumed, and its todos are gone', () => {
    const log = new Log()
      .user('Go')
      .add('todo_update', { todos: [{ content: 'Read', status: 'in_progress' }] })
      .add('cancelled', {
        message: 'Task was cancelled',
        resumable: true,
        reason: 'paused',
        stop_reason: 'paused',
        termination_info: { reason: 'terminated', terminated_by: 'daemon' },
      })
    const paused = fold(EMPTY, log.events)
    expect(paused.runs[0]!.end!.resumable).toBe(true)
    const discarded = fold(paused, log.add('discarded', { message: 'Given up.' }).events)
    expect(discarded.runs[0]!.end!.resumable).toBe(false)
    expect(discarded.items[1]).toMatchObject({ kind: 'end', end: { resumable: false } })
    expect(discarded.todos).toEqual([])
  })
})

describe('what the agent tells beside', () => {
  it('is kept as facts', () => {
    const log = new Log()
      .user('Go')
      .add('agent_start', { session_id: 's', agent: 'codex', task: 'Go', tools: [], skills: [], mode: 'ask' })
      .add('usage', { used: 100, size: 200_000, cost_usd: 0.1 })
      .add('usage', { used: 300 })
      .add('agent_update', { kind: 'current_mode_update', update: { currentModeId: 'write' } })
      .add('profile_switch', { profile_type: 'builtin', profile_name: 'careful', tools: [] })
    expect(fold(EMPTY, log.events).facts).toEqual({
      agent: 'codex',
      model: null,
      mode: 'write',
      profile: 'careful',
      contextUsed: 300,
      contextSize: 200_000,
      costUsd: 0.1,
    })
  })

  it('is a note only if a person may want to read it', () => {
    const log = new Log()
      .user('Go')
      .add('agent_update', { kind: 'available_commands_update', update: {} })
      .add('agent_update', { kind: 'informational', update: { content: 'A new version is there.' } })
      .add('rate_limit', { status: 'allowed' })
      .add('rate_limit', { status: 'allowed_warning', utilization: 0.9 })
    expect(notes(fold(EMPTY, log.events)).map((note) => note.event.type)).toEqual(['agent_update', 'rate_limit'])
  })

  it('again and again is one note that counts', () => {
    const log = new Log().user('Go')
    for (const attempt of [1, 2, 3]) log.add('agent_retry', { attempt, delay_ms: 500, status: 529 })
    log.add('stalled', { waiting_on: 'model', idle_ms: 300_000 }).add('agent_retry', { attempt: 4, delay_ms: 500 })
    const conversation = fold(EMPTY, log.events)
    expect(notes(conversation)).toMatchObject([
      { key: 'e2', sequence: 2, last: 4, count: 3, event: { data: { attempt: 3 } } },
      { count: 1, event: { type: 'stalled' } },
      { count: 1, event: { data: { attempt: 4 } } },
    ])
  })

  it('from a newer server is passed over', () => {
    const log = new Log().user('Go')
    const foreign = { type: 'constructor', data: {}, timestamp: '2026-01-05T12:00:01.000Z', sequence: 2 }
    const before = fold(EMPTY, log.events)
    const after = fold(before, [foreign as unknown as Envelope])
    expect(after.head).toBe(2)
    expect(after.items).toBe(before.items)
  })
})

describe('what was folded', () => {
  const log = new Log().user('Go').say(['One', ' two']).said('One two.').call('a').returned('a').complete()

  it('changes nothing when it comes again', () => {
    const conversation = fold(EMPTY, log.events)
    expect(fold(conversation, log.events)).toBe(conversation)
    expect(fold(conversation, log.events.slice(2, 4))).toBe(conversation)
    expect(fold(conversation, [])).toBe(conversation)
  })

  it('is put in order by sequence', () => {
    expect(fold(EMPTY, log.events.toReversed())).toEqual(fold(EMPTY, log.events))
  })

  it('may have gaps where partials were dropped', () => {
    const gap = new Log().user('Go').skip(400).said('All of it.').complete()
    const conversation = fold(EMPTY, gap.events)
    expect(texts(conversation.items)).toEqual(['All of it.'])
    expect(conversation.head).toBe(403)
  })

  it('keeps its identity if the next events do not touch it', () => {
    const before = fold(EMPTY, log.events)
    const more = new Log(before.head).user('Again').call('b').say(['Hm'])
    const after = fold(before, more.events)
    expect(after.items.slice(0, before.items.length).every((item, index) => item === before.items[index])).toBe(true)
    expect(after.runs[0]).toBe(before.runs[0])
    expect(after.todos).toBe(before.todos)
    expect(after.waiting).toBe(before.waiting)
    const later = fold(after, new Log(after.head).say(['.']).events)
    expect(later.runs).toBe(after.runs)
    expect(later.facts).toBe(after.facts)
    expect(later.items.filter((item, index) => item !== after.items[index])).toMatchObject([{ text: 'Hm.' }])
    expect(before).toEqual(fold(EMPTY, log.events))
  })
})
