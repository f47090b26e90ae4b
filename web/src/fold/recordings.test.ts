import { describe, expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import type { Conversation } from './model'
import { essence, historyOf, isPartial } from './testing/history'
import { all, kinds, notes, texts, tool } from './testing/look'
import { pieces, random } from './testing/random'
import { RECORDINGS, recording } from './testing/recordings'

const whole = (name: string) => fold(EMPTY, recording(name).events)

describe.each(RECORDINGS)('$name ($about)', ({ name, status, events }) => {
  it('gives the same from history as from the stream', () => {
    expect(essence(fold(EMPTY, historyOf(events)))).toEqual(essence(fold(EMPTY, events)))
  })

  it('gives the same in whatever pieces it comes', () => {
    const next = random(name.length)
    for (let round = 0; round < 5; round += 1) {
      const parts = round === 0 ? events.map((event) => [event]) : pieces(events, next)
      expect(parts.reduce<Conversation>(fold, EMPTY)).toEqual(fold(EMPTY, events))
    }
  })

  it('gives the same if parts of it come again', () => {
    const next = random(name.length + 1)
    let conversation = EMPTY
    let reached = 0
    while (reached < events.length) {
      const from = Math.max(0, reached - Math.floor(next() * 8))
      const to = Math.min(events.length, reached + 1 + Math.floor(next() * 5))
      conversation = fold(conversation, events.slice(from, to))
      expect(fold(conversation, events.slice(from, to))).toBe(conversation)
      reached = Math.max(reached, to)
    }
    expect(conversation).toEqual(fold(EMPTY, events))
  })

  it('leaves what an event does not touch as it was', () => {
    let before = EMPTY
    for (const event of events) {
      const copy = structuredClone(before)
      const after = fold(before, [event])
      expect(before).toEqual(copy)
      // A piece of a text, or what an agent does, changes one item and those above it.
      if (isPartial(event) || event.type === 'tool_start' || event.type === 'tool_complete') {
        const known = new Set(all(before.items))
        const fresh = all(after.items).filter((item) => !known.has(item))
        const parent = 'parent_id' in event.data ? event.data.parent_id : undefined
        expect(fresh.length).toBe(parent === undefined ? 1 : 2)
        expect(after.runs).toBe(before.runs)
      }
      before = after
    }
  })

  it('has no key twice, and shows nothing as under way that is over', () => {
    const conversation = fold(EMPTY, events)
    const items = all(conversation.items)
    expect(new Set(items.map((item) => item.key)).size).toBe(items.length)
    if (status === 'waiting') return
    expect(conversation.waiting).toEqual([])
    expect(items.filter((item) => 'isOpen' in item && item.isOpen)).toEqual([])
    expect(items.filter((item) => item.kind === 'tool' && /running|waiting/.test(item.state))).toEqual([])
    expect(conversation.runs.every((run) => run.end !== null && run.last !== null)).toBe(true)
  })
})

describe('of the recorded sessions', () => {
  it('the demo task is told with its thinking, its tools and its todos', () => {
    const conversation = whole('demo-task')
    expect(kinds(conversation.items)).toEqual([
      'user',
      'thinking',
      'text',
      'tool',
      'text',
      'tool',
      'tool',
      'text',
      'end',
    ])
    expect(conversation.todos.map((todo) => todo.status)).toEqual(['completed', 'completed', 'completed'])
    expect(conversation.facts.agent).toBe('demo')
  })

  it('the crash tells its exit code and what was on stderr', () => {
    const { runs, items } = whole('demo-crash')
    expect(texts(items)[0]).toMatch(/^word-1 .* word-20 $/)
    expect(runs[0]!.end).toMatchObject({ type: 'error', errorType: 'process_exit', stopReason: 'process_exit' })
    expect(runs[0]!.end!.termination).toMatchObject({ exit_code: 3, stderr: { truncated: true } })
  })

  it('the one that waits has its request open', () => {
    const { waiting, items } = whole('demo-waiting')
    expect(waiting).toMatchObject([{ kind: 'permission', resolved: null }])
    expect(items.at(-1)).toMatchObject({ kind: 'asked', asked: waiting[0] })
    expect(items.at(-2)).toMatchObject({ kind: 'tool', state: 'waiting' })
  })

  it('the denied call is refused, and the denial is told once', () => {
    const conversation = whole('demo-ask-denied')
    expect(notes(conversation)).toEqual([])
    expect(kinds(conversation.items)).toEqual(['user', 'tool', 'asked', 'text', 'text', 'end'])
    expect(conversation.items[1]).toMatchObject({ state: 'refused', result: 'The user rejected it.' })
  })

  it('the four fates of a permission are told apart', () => {
    const conversation = whole('claude-permissions')
    const calls = conversation.items.flatMap((item) => (item.kind === 'tool' ? [item] : []))
    expect(calls.map((call) => call.state)).toEqual(['done', 'refused', 'done', 'done', 'refused'])
    expect(calls[0]!.input).toEqual({ command: 'touch edited.txt' })
    expect(notes(conversation)).toMatchObject([{ event: { type: 'hook_triggered' } }])
  })

  it('subagents stand below the calls that started them', () => {
    const calls = whole('claude-subagents').items.flatMap((item) => (item.kind === 'tool' ? [item] : []))
    expect(calls.map((call) => [call.name, kinds(call.children)])).toEqual([
      ['Agent', ['text', 'tool', 'text']],
      ['Agent', ['thinking', 'text']],
    ])
    expect(notes(whole('claude-subagents'))).toEqual([])
  })

  it('a broken text is shown again from its beginning', () => {
    expect(texts(whole('claude-retry').items)).toEqual(['The tide is out.'])
    expect(kinds(whole('claude-retry').items)).toEqual(['user', 'note', 'text', 'end'])
    expect(texts(whole('claude-broken').items)).toEqual(['All of it.'])
    expect(notes(whole('claude-overloaded'))).toMatchObject([{ count: 2, event: { data: { status: 529 } } }])
  })

  it('limits that are near and that are reached are noted', () => {
    const limits = notes(whole('claude-limits')).map((note) => note.event.data)
    expect(limits).toMatchObject([{ status: 'allowed_warning' }, { status: 'rejected' }])
  })

  it('a question has its answers', () => {
    const asked = whole('claude-question').items.find((item) => item.kind === 'asked')
    expect(asked).toMatchObject({ asked: { kind: 'question', resolved: { by: 'local' } } })
  })

  it('what was paused is gone on with in a second run', () => {
    const { runs } = whole('demo-resumed')
    expect(runs.map((run) => run.end?.stopReason)).toEqual(['paused', 'success'])
    expect(runs[1]!.task).toBe(runs[0]!.task)
    expect(whole('demo-discarded').runs[0]!.end).toMatchObject({ stopReason: 'paused', resumable: false })
  })

  it('what an ACP agent shows of a call is with the call', () => {
    const conversation = whole('acp-showing')
    expect(tool(conversation, 'edit-1').content).toMatchObject([{ type: 'diff', oldText: 'planks = 3\n' }])
    expect(conversation.facts).toMatchObject({ mode: 'code', contextUsed: 1200, contextSize: 200_000, costUsd: 0.03 })
    const shell = whole('acp-goose').items.find((item) => item.kind === 'tool' && item.content !== null)
    expect(shell).toMatchObject({ content: [{ content: { text: '4 planks\n' } }] })
  })
})
