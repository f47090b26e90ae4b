import type { PermissionRequest } from 'holdfast-client'
import { describe, expect, it } from 'vitest'
import { denial, editedAnswer, editedInput, editingOf, offersOf } from './permission'

const OPTIONS = ['allow_once', 'allow_session', 'allow_project', 'deny'].map((kind) => ({ kind, name: kind }))

function request(change: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    request_id: 'r1',
    tool_name: 'Bash',
    tool_input: { command: 'git push' },
    options: OPTIONS,
    expires_at: '2026-01-05T12:00:00.000Z',
    rule: 'Bash(git push)',
    ...change,
  }
}

describe('what a request offers', () => {
  it('is every decision that it names', () => {
    expect([...offersOf(request()).decisions]).toEqual(['allow_once', 'allow_session', 'allow_project', 'deny'])
  })

  it('is nothing lasting without a rule', () => {
    const { rule, ...without } = request()
    expect(rule).toBe('Bash(git push)')
    expect([...offersOf(without).decisions]).toEqual(['allow_once', 'deny'])
  })

  it('is no decision that it does not name, nor one that nobody knows', () => {
    const options = [
      { kind: 'allow_once', name: 'Yes' },
      { kind: 'allow_for_ever', name: 'Always' },
    ]
    expect([...offersOf(request({ options })).decisions]).toEqual(['allow_once'])
  })

  it('is an edited input only where the agent takes one', () => {
    expect(offersOf(request()).edit).toBe(false)
    expect(offersOf(request({ editable: true })).edit).toBe(true)
    expect(offersOf(request({ editable: true, options: [] })).edit).toBe(false)
  })
})

describe('an edited input', () => {
  it('is edited as text where one text is what matters, and the rest stays', () => {
    const input = { command: 'ls', timeout: 5 }
    const editing = editingOf(input)
    expect(editing).toEqual({ field: 'command', text: 'ls', rest: [['timeout', '5']] })
    expect(editedInput(input, editing, 'ls -l')).toEqual({ input: { command: 'ls -l', timeout: 5 } })
  })

  it('is no empty command, but may be an empty file', () => {
    expect(editedInput({ command: 'ls' }, editingOf({ command: 'ls' }), ' ')).toEqual({ problem: 'empty' })
    const write = { file_path: '/a', content: 'x' }
    expect(editedInput(write, editingOf(write), '')).toEqual({ input: { file_path: '/a', content: '' } })
  })

  it('is JSON where there is more to it, and says what is wrong with it', () => {
    const input = { a: 1, b: 'x' }
    const editing = editingOf(input)
    expect(editing.field).toBeNull()
    expect(editedInput(input, editing, '{"a": 2}')).toEqual({ input: { a: 2 } })
    expect(editedInput(input, editing, '[1]')).toEqual({ problem: 'no_object' })
    expect(editedInput(input, editing, '{"a":')).toMatchObject({ problem: 'no_json' })
  })

  it('that is as it was is allowed as it is', () => {
    expect(editedAnswer({ command: 'ls' }, { command: 'ls' })).toEqual({ decision: 'allow_once' })
    expect(editedAnswer({ command: 'ls' }, { command: 'ls -l' })).toEqual({
      decision: 'allow_once',
      input: { command: 'ls -l' },
    })
  })
})

it('a denial carries words only if there are some', () => {
  expect(denial('  ')).toEqual({ decision: 'deny' })
  expect(denial(' Use git mv ')).toEqual({ decision: 'deny', message: 'Use git mv' })
})
