import { expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { editedFiles } from './edits'

const edited = (log: Log) => editedFiles(fold(EMPTY, log.events))
const edit = (path: string, before: string, after: string) => ({
  file_path: path,
  old_string: before,
  new_string: after,
})

test('edits are gathered by file with what they added and removed, the latest file first', () => {
  const log = new Log()
    .user('Go')
    .call('a', 'Edit', edit('/w/a.py', 'one\ntwo\n', 'one\n2\nthree\n'))
    .returned('a')
    .call('b', 'Write', { file_path: '/w/b.py', content: 'x\ny' })
    .returned('b')
    .call('c', 'Edit', edit('/w/a.py', '2', ''))
    .returned('c')
  expect(edited(log)).toMatchObject([
    {
      path: '/w/a.py',
      added: 2,
      removed: 2,
      changes: [{ edit: { after: 'one\n2\nthree\n' } }, { edit: { before: '2' } }],
    },
    { path: '/w/b.py', added: 2, removed: 0, changes: [{ edit: { before: null } }] },
  ])
})

test('a file that is written again is compared with what was written before', () => {
  const log = new Log()
    .user('Go')
    .call('a', 'Write', { file_path: '/w/a', content: 'one\ntwo\n' })
    .returned('a')
    .call('b', 'Edit', edit('/w/a', 'two', '2'))
    .returned('b')
    .call('c', 'Write', { file_path: '/w/a', content: 'one\n2\nthree\n' })
    .returned('c')
  const [file] = edited(log)
  expect(file).toMatchObject({ added: 4, removed: 1 })
  expect(file!.changes[2]!.edit).toMatchObject({ before: 'one\n2\n', after: 'one\n2\nthree\n' })
  expect(edited(log)[0]!.changes[2]!.edit.before).toBe(file!.changes[2]!.edit.before)
})

test('after an edit that does not fit what is known nothing is known', () => {
  const log = new Log()
    .user('Go')
    .call('a', 'Write', { file_path: '/w/a', content: 'one' })
    .returned('a')
    .call('b', 'Edit', edit('/w/a', 'written by somebody else', 'x'))
    .returned('b')
    .call('c', 'Write', { file_path: '/w/a', content: 'two' })
    .returned('c')
  expect(edited(log)[0]!.changes[2]!.edit.before).toBeNull()
})

test('what failed or was refused has changed nothing', () => {
  const log = new Log()
    .user('Go')
    .call('a', 'Edit', edit('/w/a', 'x', 'y'))
    .returned('a', { is_error: true })
  expect(edited(log)).toEqual([])
})

test('the edits of subagents count', () => {
  const log = new Log()
    .user('Go')
    .call('task', 'Task')
    .call('a', 'Edit', edit('/w/a', 'x', 'y'), 'task')
    .returned('a')
    .returned('task')
  expect(edited(log)).toMatchObject([{ path: '/w/a', added: 1, removed: 1 }])
})

test('texts that have nothing in common are counted without being compared at length', () => {
  const lines = (word: string) => Array.from({ length: 3000 }, (_, line) => `${word} ${line}`).join('\n')
  const log = new Log()
    .user('Go')
    .call('a', 'Edit', edit('/w/a', lines('x'), lines('y')))
    .returned('a')
  const start = process.cpuUsage()
  expect(edited(log)).toMatchObject([{ added: 3000, removed: 3000 }])
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(300)
})
