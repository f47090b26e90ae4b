// Links to events lead to the row that shows them.
import { expect, test } from 'vitest'
import { placeOf } from './place'
import { groupKey } from './row'
import { rowsOf } from './rows'
import { conversationOf, text, thinking, tool, user } from './testing/examples'
import { wholeCode } from './wholeCode'

test('an event leads to its item, and one that is not shown to what was there before it', () => {
  const [task, said, done] = [user('x'), text('one'), tool('Read')]
  const conversation = conversationOf([task, { ...said, last: said.sequence }, { ...done, last: done.sequence + 5 }])
  expect(placeOf(conversation, said.sequence, false)).toEqual({ key: said.key, unfold: [] })
  expect(placeOf(conversation, done.sequence + 3, false)?.key).toBe(done.key)
  expect(placeOf(conversation, 0, false)?.key).toBe(task.key)
  expect(placeOf(conversation, 9_999_999, false)).toBeNull()
})

test('what is in a group or below a subagent is unfolded on the way', () => {
  const calls = [tool('Read'), tool('Grep'), tool('Bash')]
  const parent = tool('Task', { children: calls })
  const conversation = conversationOf([user('x'), { ...parent, last: calls[2]!.last }])
  const place = placeOf({ ...conversation, head: 9_999_999 }, calls[1]!.sequence, false)
  // The children were made before their parent here, so that it is found through its span.
  expect(place).not.toBeNull()
  const inOrder = { ...parent, sequence: calls[0]!.sequence - 1, last: calls[2]!.last }
  const found = placeOf({ ...conversation, items: [inOrder], head: 9_999_999 }, calls[1]!.sequence, true)
  expect(found).toEqual({ key: calls[1]!.key, unfold: [inOrder.key, groupKey(calls[0]!), calls[1]!.key] })
})

test('of two subagents at work at the same time the one that has the event is found', () => {
  const [first, second] = [tool('Task'), tool('Task')]
  const [call, other] = [tool('Read'), tool('Grep')]
  const last = other.sequence + 5
  const items = [
    { ...first, children: [call], last },
    { ...second, children: [other], last },
  ]
  const conversation = { ...conversationOf(items), head: last }
  expect(placeOf(conversation, call.sequence, false)).toEqual({ key: call.key, unfold: [first.key] })
  expect(placeOf(conversation, other.sequence, false)).toEqual({ key: other.key, unfold: [second.key] })
})

test('words that were searched unfold the row that they are in', () => {
  const thought = thinking('a word')
  const conversation = conversationOf([user('x'), thought])
  expect(placeOf(conversation, thought.sequence, true)?.unfold).toEqual([thought.key])
  expect(placeOf(conversation, thought.sequence, false)?.unfold).toEqual([])
})

test('a block of code that was cut is copied whole', () => {
  const code = Array.from({ length: 600 }, (_, line) => `const value${line} = ${line}`).join('\n')
  const conversation = conversationOf([user('x'), text(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`)])
  const { list } = rowsOf(conversation, new Map(), false, null)
  const first = list.find((row) => row.kind === 'block' && row.block.part === 'first')!
  expect(list.filter((row) => row.kind === 'block' && row.block.token.type === 'code').length).toBeGreaterThan(1)
  expect(wholeCode(list, first.key)).toBe(code)
})
