// Rows of hand-made conversations.
import { expect, test } from 'vitest'
import type { Conversation, Item, ToolItem } from '@/fold/model'
import type { Row } from './row'
import { type Rows, rowsOf } from './rows'
import { spotOf } from './spot'
import { conversationOf, end, note, permission, text, thinking, tool, user } from './testing/examples'

const make = (
  conversation: Conversation,
  folds: Record<string, boolean> = {},
  previous: Rows | null = null,
  active = false,
) => rowsOf(conversation, new Map(Object.entries(folds)), active, previous)
const kinds = (rows: Rows) => rows.list.map(({ kind }) => kind)
const long = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_, n) => `Paragraph ${n}. ${'word '.repeat(40)}`).join('\n\n')

test('a task, its answer and its end are three rows', () => {
  expect(kinds(make(conversationOf([user('do it'), text('Done.'), end()])))).toEqual(['user', 'text', 'end'])
})

test('a text that grows has a row for each block, and the finished ones stay the same', () => {
  const task = user('x')
  const growing = text('', { isOpen: true })
  const grow = (words: string, previous: Rows | null) =>
    make(conversationOf([task, { ...growing, text: words, last: growing.last + words.length }]), {}, previous)
  const before = grow('one\n\ntwo\n\nthree\n\nfo', null)
  const after = grow('one\n\ntwo\n\nthree\n\nfour\n\nfive', before)
  expect(kinds(after)).toEqual(['user', 'block', 'block', 'block', 'block', 'block'])
  expect(after.list.slice(0, 4)).toEqual(before.list.slice(0, 4))
  for (const index of [0, 1, 2, 3]) expect(after.list[index], String(index)).toBe(before.list[index])
  expect(after.list.map((row) => row.kind === 'block' && row.isOpen)).toEqual([false, false, false, false, false, true])
})

test('it keeps its rows when it is finished', () => {
  const [task, said] = [user('x'), text('one\n\ntwo', { isOpen: true })]
  const growing = make(conversationOf([task, said]))
  const done = make(conversationOf([task, { ...said, isOpen: false }]), {}, growing)
  expect(done.list.map(({ key }) => key)).toEqual(growing.list.map(({ key }) => key))
  expect(done.list[1]).toBe(growing.list[1])
})

test('a long text that was finished before has rows for its blocks; a very long one is lexed in several goes', () => {
  const conversation = conversationOf([user('x'), text(long(40))])
  expect(kinds(make(conversation)).filter((kind) => kind === 'block')).toHaveLength(40)
  const longer = conversationOf([user('x'), text(long(600))])
  let rows = make(longer)
  expect(rows.isPartial).toBe(true)
  for (let go = 0; rows.isPartial && go < 10; go++) rows = make(longer, {}, rows)
  expect(rows.list.filter(({ kind }) => kind === 'block')).toHaveLength(600)
  expect(make(longer, {}, rows).list.every((row, index) => row === rows.list[index])).toBe(true)
})

test('three finished calls are one line; two are not', () => {
  const three = [tool('Read'), tool('Read'), tool('Bash')]
  const rows = make(conversationOf([user('x'), ...three]))
  expect(kinds(rows)).toEqual(['user', 'group'])
  expect(kinds(make(conversationOf([user('x'), ...three.slice(1)])))).toEqual(['user', 'tool', 'tool'])
  const group = rows.list[1] as Extract<Row, { kind: 'group' }>
  expect(group.tools.map(({ name }) => name)).toEqual(['Read', 'Read', 'Bash'])
  expect([group.sequence, group.last]).toEqual([three[0]!.sequence, three[2]!.last])
})

test('an unfolded group shows its calls in their order, and stays unfolded when it grows', () => {
  const items = [user('x'), tool('Read'), thinking('hm'), tool('Grep'), tool('Bash')]
  const folded = make(conversationOf(items))
  expect(kinds(folded)).toEqual(['user', 'group'])
  const folds = { [folded.list[1]!.key]: true }
  expect(kinds(make(conversationOf(items), folds))).toEqual(['user', 'group', 'tool', 'thinking', 'tool', 'tool'])
  expect(kinds(make(conversationOf([...items, tool('Edit')]), folds))).toHaveLength(7)
})

test.each(['failed', 'refused', 'running', 'waiting', 'unknown'] as const)(
  'a call that is %s is never in a group',
  (state) => {
    const items = [
      tool('Read'),
      tool('Read'),
      tool('Read'),
      tool('Bash', { state }),
      tool('Read'),
      tool('Read'),
      tool('Read'),
    ]
    expect(kinds(make(conversationOf([user('x'), ...items])))).toEqual(['user', 'group', 'tool', 'group'])
  },
)

test('a thought before or behind a run of calls is a row of its own, and so is an open one', () => {
  const run = [tool('Read'), tool('Read'), tool('Read')]
  const items = [thinking('a'), ...run, thinking('b'), text('Done.')]
  expect(kinds(make(conversationOf([user('x'), ...items])))).toEqual(['user', 'thinking', 'group', 'thinking', 'text'])
})

test('a subagent at work shows what it does, indented; one that has finished is a line until it is unfolded', () => {
  const children: Item[] = [text('Looking.'), tool('Grep')]
  const running = tool('Task', { state: 'running', children })
  expect(make(conversationOf([user('x'), running])).list.map(({ kind, depth }) => [kind, depth])).toEqual([
    ['user', 0],
    ['subagent', 0],
    ['text', 1],
    ['tool', 1],
  ])
  const done: ToolItem = { ...running, state: 'done' }
  expect(kinds(make(conversationOf([user('x'), done])))).toEqual(['user', 'subagent'])
  expect(kinds(make(conversationOf([user('x'), done]), { [done.key]: true }))).toHaveLength(4)
})

test('what waits for an answer is told by its call; answered, it is a line', () => {
  const call = tool('Bash', { state: 'waiting' })
  const asked = permission(call.toolId, null)
  expect(kinds(make(conversationOf([user('x'), call, asked])))).toEqual(['user', 'tool'])
  expect(kinds(make(conversationOf([user('x'), asked])))).toEqual(['user', 'asked'])
  const denied = permission(call.toolId, 'deny')
  expect(kinds(make(conversationOf([user('x'), { ...call, state: 'refused' }, denied])))).toEqual([
    'user',
    'tool',
    'asked',
  ])
})

test('permissions that were given do not break up a run of calls', () => {
  const calls = [tool('Bash'), tool('Bash'), tool('Bash')]
  const items = calls.flatMap((call) => [call, permission(call.toolId, 'allow_once')])
  expect(kinds(make(conversationOf([user('x'), ...items])))).toEqual(['user', 'group', 'asked'])
})

test('several runs have dividers with their numbers, one run has none', () => {
  const items = [user('a'), text('b'), end(), user('c', { run: 2 }), text('d', { run: 2 })]
  const rows = make(conversationOf(items, { runs: 2 }))
  expect(kinds(rows)).toEqual(['divider', 'user', 'text', 'end', 'divider', 'user', 'text'])
  expect(rows.list.map((row) => row.kind === 'divider' && row.run?.number)).toEqual([
    1,
    false,
    false,
    false,
    2,
    false,
    false,
  ])
})

test('another day has a divider too', () => {
  const items = [user('a', { at: '2026-03-01T12:00:00.000Z' }), text('b', { at: '2026-03-03T12:00:00.000Z' })]
  expect(kinds(make(conversationOf(items)))).toEqual(['user', 'divider', 'text'])
})

test('todos stand under the last message of the run, and at the end while it is under way', () => {
  const todos = [{ content: 'a', status: 'completed' }]
  const over = [user('x'), text('one'), tool('Read'), text('two'), tool('Read'), end()]
  expect(kinds(make(conversationOf(over, { todos })))).toEqual(['user', 'text', 'tool', 'text', 'todos', 'tool', 'end'])
  const open = over.slice(0, 4)
  expect(kinds(make(conversationOf(open, { todos }), {}, null, true))).toEqual([
    'user',
    'text',
    'tool',
    'text',
    'todos',
    'working',
  ])
})

test.each([
  ['start', [user('x')]],
  ['model', [user('x'), tool('Read')]],
  ['tool', [user('x'), tool('Bash', { state: 'running' })]],
  ['writing', [user('x'), { ...text('Hel'), isOpen: true }]],
  ['thinking', [user('x'), { ...thinking('Hm'), isOpen: true }]],
] as [string, Item[]][])('a run under way says at the end that it waits on: %s', (kind, items) => {
  const last = make(conversationOf(items), {}, null, true).list.at(-1)
  expect(last?.kind === 'working' && last.on.kind).toBe(kind)
})

test('an agent that is at work and has said nothing yet waits on the model, since it was ready', () => {
  const conversation = conversationOf([user('x')])
  const atWorkAt = '2026-03-01T12:00:05.000Z'
  const runs = conversation.runs.map((run) => ({ ...run, atWorkAt }))
  const last = make({ ...conversation, runs }, {}, null, true).list.at(-1)
  expect(last?.kind === 'working' && last.on).toEqual({ kind: 'model', since: atWorkAt })
})

test('it counts from the end of the call before, not from when somebody came to look', () => {
  const call = tool('Read', { durationMs: 2_500 })
  const last = make(conversationOf([user('x'), call]), {}, null, true).list.at(-1)
  expect(last?.kind === 'working' && Date.parse(last.on.since)).toBe(Date.parse(call.at) + 2_500)
})

test('it counts anew after a call that was over before anybody saw it', () => {
  const items = [user('x'), tool('Read', { durationMs: 1_000 })]
  const before = make(conversationOf(items), {}, null, true)
  expect(make(conversationOf(items), {}, before, true).list.at(-1)).toBe(before.list.at(-1))
  const call = tool('Read', { durationMs: 9_000 })
  const last = make(conversationOf([...items, call]), {}, before, true).list.at(-1)
  expect(last?.kind === 'working' && Date.parse(last.on.since)).toBe(Date.parse(call.at) + 9_000)
})

test('it waits on the person before all else, and of a subagent it names the call inside', () => {
  const inside = tool('Grep', { state: 'running' })
  const items = [user('x'), tool('Task', { state: 'running', children: [inside] })]
  const conversation = conversationOf(items)
  const last = make(conversation, {}, null, true).list.at(-1)
  expect(last?.kind === 'working' && last.on.kind === 'tool' && last.on.tool).toBe(inside)
  const asked = permission(inside.toolId, null).asked
  const waiting = make({ ...conversation, waiting: [asked] }, {}, null, true).list.at(-1)
  expect(waiting?.kind === 'working' && waiting.on.kind).toBe('person')
})

test('a session that is over, or whose run has ended, works on nothing', () => {
  expect(kinds(make(conversationOf([user('x'), end()]), {}, null, true))).toEqual(['user', 'end'])
  expect(kinds(make(conversationOf([user('x')]), {}, null, false))).toEqual(['user'])
})

test('rows keep their identity when something is added behind them', () => {
  const items = [user('x'), thinking('a'), tool('Read'), note(), tool('Read'), tool('Read'), tool('Read'), text('b')]
  const before = make(conversationOf(items))
  const after = make(conversationOf([...items, text('c')]), {}, before)
  expect(after.list.slice(0, -1).every((row, index) => row === before.list[index])).toBe(true)
})

test('a place in a long text is told by its final event, however the text came', () => {
  const live = { ...text(long(10)), isOpen: true, sequence: 5, last: 20 }
  const streamed = make(conversationOf([user('x'), live]))
  const before = make(conversationOf([user('x'), { ...live, isOpen: false, last: 45 }]), {}, streamed)
  const key = before.list.filter(({ kind }) => kind === 'block')[3]!.key
  expect(spotOf(before.list, key)).toEqual({ sequence: 45, block: 3 })
})

test('no two rows have the same key', () => {
  const items = [user('x'), { ...text(long(10)), isOpen: true }, tool('Read'), tool('Read'), tool('Read'), end()]
  const rows = make(conversationOf(items, { runs: 2 }))
  expect(new Set(rows.list.map(({ key }) => key)).size).toBe(rows.list.length)
})
