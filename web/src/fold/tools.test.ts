import { describe, expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import { Log } from './testing/log'
import { kinds, notes, tool } from './testing/look'

const stateOf = (log: Log) => tool(fold(EMPTY, log.events), 'a').state

describe('a tool call', () => {
  it('runs until it is done, has failed, or nobody knows', () => {
    const call = () => new Log().user('Go').call('a')
    expect(stateOf(call())).toBe('running')
    expect(stateOf(call().returned('a'))).toBe('done')
    expect(stateOf(call().returned('a', { is_error: true }))).toBe('failed')
    expect(stateOf(call().returned('a', { is_error: true, outcome: 'unknown' }))).toBe('unknown')
    expect(tool(fold(EMPTY, call().returned('a').events), 'a')).toMatchObject({
      name: 'Bash',
      input: { command: 'make' },
      result: 'fine',
      durationMs: 7,
      sequence: 2,
      last: 3,
    })
  })

  it('learns what an ACP agent tells of it later', () => {
    const update = {
      toolCallId: 'a',
      title: 'Edit x',
      kind: 'edit',
      rawInput: { path: 'x' },
      content: [{ type: 'diff' }],
    }
    const log = new Log().user('Go').add('tool_start', { tool_name: 'edit', tool_input: {}, tool_id: 'a' })
    log.add('agent_update', { kind: 'tool_call_update', update })
    log.add('agent_update', { kind: 'tool_call_update', update: { toolCallId: 'a', kind: 'other', rawInput: {} } })
    log.add('agent_update', { kind: 'tool_call_update', update: { toolCallId: 'nobody' } })
    const conversation = fold(EMPTY, log.events)
    expect(tool(conversation, 'a')).toMatchObject({ title: 'Edit x', toolKind: 'edit', input: { path: 'x' }, last: 4 })
    expect(tool(conversation, 'a').content).toEqual([{ type: 'diff' }])
    expect(kinds(conversation.items)).toEqual(['user', 'tool'])
  })

  it('of which only the end is known is shown as far as it is known', () => {
    const log = new Log(700).returned('a', { tool_name: 'Read', result: 'text' })
    expect(tool(fold(EMPTY, log.events), 'a')).toMatchObject({ name: 'Read', state: 'done', result: 'text', run: 0 })
  })

  it('with the id of an older one is another call', () => {
    const log = new Log().user('Go').call('a').returned('a').call('a').complete().user('Go').call('a').returned('a')
    const states = fold(EMPTY, log.events).items.flatMap((item) => (item.kind === 'tool' ? [item.state] : []))
    expect(states).toEqual(['done', 'unknown', 'done'])
  })
})

describe('a permission', () => {
  it('makes the call wait, and lets it run when it is allowed', () => {
    const log = new Log().user('Go').call('a').ask('r', 'a')
    const waiting = fold(EMPTY, log.events)
    expect(tool(waiting, 'a').state).toBe('waiting')
    expect(waiting.waiting).toMatchObject([{ kind: 'permission', requestId: 'r', sequence: 3, resolved: null }])
    expect(waiting.items[2]).toMatchObject({ kind: 'asked', asked: waiting.waiting[0] })
    const allowed = fold(waiting, log.answer('r', 'allow_once').events)
    expect(tool(allowed, 'a').state).toBe('running')
    expect(allowed.waiting).toEqual([])
    expect(allowed.items[2]).toMatchObject({ last: 4, asked: { resolved: { decision: 'allow_once', by: 'local' } } })
  })

  it('that comes before its call makes it wait too', () => {
    expect(stateOf(new Log().user('Go').ask('r', 'a').call('a'))).toBe('waiting')
  })

  it('with another input changes the call', () => {
    const input = { command: 'make test' }
    const log = new Log().user('Go').call('a').ask('r', 'a').answer('r', 'allow_once', { tool_input: input })
    expect(tool(fold(EMPTY, log.events), 'a').input).toEqual(input)
  })

  it('that is denied refuses the call, which then does not count as failed', () => {
    const log = new Log().user('Go').call('a').ask('r', 'a').answer('r', 'deny', { message: 'No.' })
    expect(stateOf(log)).toBe('refused')
    expect(stateOf(log.returned('a', { is_error: true }))).toBe('refused')
  })

  it('is no longer waited for when the run is over', () => {
    const log = new Log().user('Go').call('a').ask('r', 'a').ask('s').crash()
    const { items, waiting } = fold(EMPTY, log.events)
    expect(waiting).toEqual([])
    const decisions = items.flatMap((item) => (item.kind === 'asked' ? [item.asked.resolved?.decision] : []))
    expect(decisions).toEqual(['cancelled', 'cancelled'])
  })

  it('of a subagent stands beside its call', () => {
    const log = new Log().user('Go').call('agent', 'Agent').call('a', 'Bash', {}, 'agent').ask('r', 'a')
    const conversation = fold(EMPTY, log.events)
    expect(kinds(conversation.items)).toEqual(['user', 'tool'])
    expect(kinds(tool(conversation, 'agent').children)).toEqual(['tool', 'asked'])
    expect(tool(fold(conversation, log.answer('r', 'allow_once').events), 'a').state).toBe('running')
  })
})

describe('a denial', () => {
  const denial = { hook_event: 'PreToolUse', tool_name: 'Bash', decision: 'deny', message: 'sudo is refused' }

  it('by the policy is noted, and the call is refused', () => {
    const log = new Log().user('Go').call('a').add('hook_triggered', denial).returned('a', { is_error: true })
    const conversation = fold(EMPTY, log.events)
    expect(tool(conversation, 'a').state).toBe('refused')
    expect(notes(conversation)).toMatchObject([{ event: { data: denial } }])
  })

  it('refuses none of several calls, since it does not say which', () => {
    const log = new Log().user('Go').call('a').call('b').add('hook_triggered', denial)
    expect(stateOf(log)).toBe('running')
  })

  it('by a person is told once', () => {
    const log = new Log().user('Go').call('a').ask('r', 'a').answer('r', 'deny').add('hook_triggered', denial)
    expect(notes(fold(EMPTY, log.events))).toEqual([])
    const other = new Log().user('Go').ask('r', 'a').add('hook_triggered', denial)
    expect(notes(fold(EMPTY, other.events))).toHaveLength(1)
  })
})

describe('a question', () => {
  it('waits for its answers', () => {
    const question = { request_id: 'q', text: 'Which?', questions: [], expires_at: '2026-01-05T13:00:00.000Z' }
    const log = new Log()
      .user('Go')
      .call('a', 'AskUserQuestion')
      .add('question', { ...question, tool_id: 'a' })
    const asked = fold(EMPTY, log.events)
    expect(asked.waiting).toMatchObject([{ kind: 'question', request: { text: 'Which?' } }])
    expect(tool(asked, 'a').state).toBe('waiting')
    const answered = fold(asked, log.answer('q', 'allow_once', { answers: { which: 'Blue' } }).events)
    expect(answered.items[2]).toMatchObject({ asked: { resolved: { answers: { which: 'Blue' } } } })
    expect(answered.waiting).toEqual([])
  })
})
