import type { PermissionRequest } from 'holdfast-client'
import { describe, expect, it } from 'vitest'
import type { ToolItem } from '@/fold/model'
import { revealed, spelt } from './hidden'
import { shownOf, toolLabel } from './subject'

function asked(tool_name: string, tool_input: unknown, title?: string): PermissionRequest {
  const expires_at = '2026-01-05T12:00:00.000Z'
  return { request_id: 'r1', tool_name, tool_input, options: [], expires_at, ...(title && { title }) }
}

describe('what a request is about', () => {
  it('is a command, with all else that would run with it', () => {
    const input = { command: 'ls', description: 'List', dangerouslyDisableSandbox: true, timeout: 5 }
    expect(shownOf(asked('Bash', input))).toEqual({
      deed: 'run',
      subject: { kind: 'command', command: 'ls' },
      about: 'List',
      rest: [
        ['dangerouslyDisableSandbox', 'true'],
        ['timeout', '5'],
      ],
    })
  })

  it('is a command for any tool that has one', () => {
    expect(shownOf(asked('mcp__box__exec_it', { command: 'ls' }))).toMatchObject({ deed: 'run', rest: [] })
  })

  it('is a change of a file, before and after', () => {
    const input = { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true }
    expect(shownOf(asked('Edit', input))).toEqual({
      deed: 'edit',
      subject: { kind: 'edits', edits: [{ path: '/a', before: 'x', after: 'y' }] },
      about: null,
      rest: [['replace_all', 'true']],
    })
  })

  it('is a file that is written', () => {
    expect(shownOf(asked('Write', { file_path: '/a', content: 'new' }))).toEqual({
      deed: 'write',
      subject: { kind: 'edits', edits: [{ path: '/a', before: null, after: 'new' }] },
      about: null,
      rest: [],
    })
  })

  it('is every one of several changes, and what is said of one beside its text', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd', replace_all: true },
    ]
    const { subject, rest } = shownOf(asked('MultiEdit', { file_path: '/a', edits }))
    expect(subject).toMatchObject({ edits: [{ before: 'a' }, { before: 'c' }] })
    expect(rest.map(([name]) => name)).toEqual(['edits'])
  })

  it('is the change that the agent shows in the conversation, if the request has none', () => {
    const content = [{ type: 'diff', path: '/a', oldText: 'x', newText: 'y' }]
    const tool = { toolKind: 'edit', content } as unknown as ToolItem
    expect(shownOf(asked('edit', {}), tool).subject).toEqual({
      kind: 'edits',
      edits: [{ path: '/a', before: 'x', after: 'y' }],
    })
  })

  it('is a place or an address, and what is to be done there', () => {
    expect(shownOf(asked('Grep', { path: '/src', pattern: 'todo' }))).toMatchObject({
      deed: 'search',
      subject: { kind: 'paths', paths: ['/src'] },
      rest: [['pattern', 'todo']],
    })
    expect(shownOf(asked('WebFetch', { url: 'https://example.com', prompt: 'Sum up' }))).toMatchObject({
      deed: 'fetch',
      subject: { kind: 'address', address: 'https://example.com' },
      rest: [['prompt', 'Sum up']],
    })
    expect(shownOf(asked('WebSearch', { query: 'x' })).deed).toBe('websearch')
  })

  it('is a plan', () => {
    expect(shownOf(asked('ExitPlanMode', { plan: '1. Do it' }))).toMatchObject({ deed: 'plan', rest: [] })
  })

  it('is the whole input where nothing of it is known', () => {
    expect(shownOf(asked('mcp__github__create_issue', { repo: 'a', labels: ['b'], description: 'c' }))).toEqual({
      deed: 'other',
      subject: { kind: 'input' },
      about: null,
      rest: [
        ['repo', 'a'],
        ['labels', '[\n  "b"\n]'],
        ['description', 'c'],
      ],
    })
    expect(shownOf(asked('constructor', 'odd'))).toMatchObject({ deed: 'other', rest: [] })
  })

  it('hides no field because another one says the same', () => {
    const { rest } = shownOf(asked('Write', { file_path: '/a', content: 'x', also_to: '/a' }))
    expect(rest).toEqual([['also_to', '/a']])
  })
})

it('tools of servers are called by both their names', () => {
  expect(toolLabel('mcp__github__create_issue')).toBe('github: create_issue')
  expect(toolLabel('Bash')).toBe('Bash')
})

describe('a text of an agent', () => {
  it('cannot be disguised by characters that nobody sees', () => {
    expect(revealed('ls\u202e\u200b rm\u0007')).toEqual([
      { text: 'ls', isHidden: false },
      { text: 'U+202E', isHidden: true },
      { text: 'U+200B', isHidden: true },
      { text: ' rm', isHidden: false },
      { text: 'U+0007', isHidden: true },
    ])
    expect(spelt('a\rb\u{e0041}c\u3164')).toBe('a⟨U+000D⟩b⟨U+E0041⟩c⟨U+3164⟩')
  })

  it('is left alone if it has none of them', () => {
    expect(spelt('ünï\r\n\tcode 项目')).toBe('ünï\r\n\tcode 项目')
    expect(revealed('')).toEqual([])
  })
})
