import { expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { shownTodos } from './todos'

const TODOS = [
  { content: 'Read', status: 'completed' },
  { content: 'Write', status: 'in_progress' },
  { content: 'Test', status: 'pending' },
  { content: 'Dance', status: 'cancelled' },
  { content: 'Odd', status: 'somehow' },
]

const working = () => new Log().user('Go').add('todo_update', { todos: TODOS })
const states = (log: Log) => shownTodos(fold(EMPTY, log.events)).todos.map((todo) => todo.state)

test('while a run is under way todos stand as the agent says', () => {
  expect(states(working())).toEqual(['completed', 'in_progress', 'pending', 'cancelled', 'pending'])
})

test('a todo in progress has stopped once the run has ended, whichever way', () => {
  expect(states(working().crash())[1]).toBe('stopped')
  expect(states(working().complete())[1]).toBe('stopped')
})

test('it goes on with the next run', () => {
  expect(states(working().crash().user('Go on', { resume: 'continue' }))[1]).toBe('in_progress')
})

test('what was dropped does not count', () => {
  expect(shownTodos(fold(EMPTY, working().events))).toMatchObject({ done: 1, count: 4 })
})
