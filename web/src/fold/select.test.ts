import { describe, expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import type { ToolItem } from './model'
import { changedFiles, commandOf, editsOf, exitCodeOf, outputOf, outputText, summaryOf, toolIcon } from './select'
import { all, tool } from './testing/look'
import { RECORDINGS, recording } from './testing/recordings'

const whole = (name: string) => fold(EMPTY, recording(name).events)
const calls = (name: string) => all(whole(name).items).filter((item): item is ToolItem => item.kind === 'tool')
const call = (name: string, input: unknown, toolKind: string | null = null) => ({ name, input, toolKind })

describe('the calls of Claude Code', () => {
  const made = calls('claude-edits')

  it('have a picture and a line', () => {
    expect(made.map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['read', '/home/me/space/tide.py'],
      ['run', "grep -n 'now(' *.py"],
      ['search', '**/*.py'],
      ['edit', '/home/me/space/tide.py'],
      ['edit', '/home/me/space/test_tide.py'],
      ['edit', '/home/me/space/tide.py'],
      ['run', 'python3 -c \'print("1 passed")\''],
      ['run', 'cat nowhere.txt; exit 2'],
    ])
    expect(calls('claude-todos').map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['todo', 'Read the tide tables'],
      ['todo', 'Write the forecast'],
      ['todo', '#1 in_progress'],
      ['todo', '#1 completed'],
      ['todo', '#2 in_progress'],
      ['todo', '#2 completed'],
    ])
    expect(calls('claude-subagents').map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['agent', 'North pier'],
      ['run', 'touch north.txt'],
      ['agent', 'South pier'],
    ])
    expect(calls('claude-question').map(summaryOf)).toEqual(['Which colour shall the buoy have?'])
  })

  it('say what they change', () => {
    expect(made.map((one) => editsOf(one))[3]).toEqual([
      {
        path: '/home/me/space/tide.py',
        before: '    return height(datetime.datetime.now())\n',
        after: '    return height(now)\n',
      },
    ])
    expect(editsOf(made[4]!)).toMatchObject([{ path: '/home/me/space/test_tide.py', before: null }])
    expect(editsOf(made[0]!)).toEqual([])
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ]
    expect(editsOf(call('MultiEdit', { file_path: 'x', edits }))).toEqual([
      { path: 'x', before: 'a', after: 'b' },
      { path: 'x', before: 'c', after: '' },
    ])
    expect(editsOf(call('NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'print()' }))).toEqual([
      { path: 'n.ipynb', before: null, after: 'print()' },
    ])
  })

  it('that failed have changed nothing', () => {
    expect(changedFiles(whole('claude-edits'))).toMatchObject([
      { path: '/home/me/space/tide.py', edits: 1, key: made[3]!.key },
      { path: '/home/me/space/test_tide.py', edits: 1 },
    ])
  })

  it('have their output and exit code', () => {
    expect(made.slice(-2).map((one) => [commandOf(one), outputOf(one), exitCodeOf(one)])).toEqual([
      ['python3 -c \'print("1 passed")\'', '1 passed', null],
      ['cat nowhere.txt; exit 2', 'Exit code 2\ncat: nowhere.txt: No such file or directory', 2],
    ])
    expect(outputOf(made[5]!)).toBe('String to replace not found in file.\nString: not there')
    expect(commandOf(made[0]!)).toBeNull()
  })
})

describe('the calls of ACP agents', () => {
  it('have a picture and a line', () => {
    expect(calls('acp-showing').map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['read', '/home/me/space/pier.py'],
      ['edit', '/home/me/space/pier.py'],
      ['edit', '/home/me/space/rope.py'],
      ['run', 'python3 pier.py'],
      ['search', 'planks'],
      ['web', 'https://example.com/tide'],
    ])
    expect(calls('acp-codex').map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['edit', '/home/me/space/pier.py'],
      ['run', 'python3 pier.py'],
    ])
    expect(calls('acp-goose').map((one) => [toolIcon(one), summaryOf(one)])).toEqual([
      ['edit', 'pier.py'],
      ['run', 'python3 pier.py; touch tried.txt'],
      ['run', 'touch denied.txt'],
    ])
    expect(calls('demo-tools').map(toolIcon).slice(0, 2)).toEqual(['other', 'other'])
  })

  it('say what they change, each in its own way', () => {
    const after = "planks = 4\nprint(planks, 'planks')\n"
    expect(editsOf(tool(whole('acp-showing'), 'edit-1'))).toEqual([
      { path: '/home/me/space/pier.py', before: 'planks = 3\n', after: 'planks = 4\n' },
    ])
    expect(editsOf(calls('acp-codex')[0]!)).toEqual([{ path: '/home/me/space/pier.py', before: null, after }])
    expect(editsOf(calls('acp-goose')[0]!)).toEqual([{ path: 'pier.py', before: null, after }])
    expect(editsOf(calls('demo-task')[0]!)).toMatchObject([{ path: '/home/me/space/holdfast-demo.md', before: null }])
    const update = { type: 'update', unified_diff: '@@ -1,2 +1,2 @@\n-planks = 4\n+planks = 5\n print(planks)\n' }
    const changes = { 'pier.py': update, 'rope.py': { type: 'delete', content: 'rope\n' } }
    expect(editsOf(call('edit', { changes }, 'edit'))).toEqual([
      { path: 'pier.py', before: 'planks = 4\nprint(planks)\n', after: 'planks = 5\nprint(planks)\n' },
      { path: 'rope.py', before: 'rope\n', after: null },
    ])
  })

  it('have their output and exit code', () => {
    const told = (name: string) =>
      calls(name).flatMap((one) => (toolIcon(one) === 'run' ? [[outputOf(one), exitCodeOf(one)]] : []))
    expect(told('acp-showing')).toEqual([['4 planks\n', 0]])
    expect(told('acp-codex')).toEqual([['4 planks\n', 0]])
    expect(told('acp-goose')[0]).toEqual(['4 planks', 0])
    expect(told('demo-task')[0]![0]).toMatch(/^total /)
  })

  it('name the files that they have changed', () => {
    expect(changedFiles(whole('acp-showing')).map((file) => file.path)).toEqual([
      '/home/me/space/pier.py',
      '/home/me/space/rope.py',
    ])
    expect(changedFiles(whole('demo-two-runs'))).toMatchObject([{ path: '/home/me/space/holdfast-demo.md', edits: 2 }])
  })
})

describe('a result as text', () => {
  it.each([
    [null, ''],
    ['text', 'text'],
    [3, '3'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'content', content: { type: 'text', text: 'b' } },
      ],
      'a\nb',
    ],
    [{ stdout: 'out', stderr: 'err' }, 'out\nerr'],
    [{ stdout: '', stderr: '', exit_code: 0 }, ''],
    [{ content: [{ type: 'text', text: 'a' }], isError: false }, 'a'],
    [{ error: 'no such file' }, 'no such file'],
    [{ message: 'two rows', rows: 2 }, '{\n  "message": "two rows",\n  "rows": 2\n}'],
    [{ bytes: 90 }, '{\n  "bytes": 90\n}'],
    [[{ type: 'diff', path: 'x' }], '[\n  {\n    "type": "diff",\n    "path": "x"\n  }\n]'],
  ])('%j is %j', (result, text) => {
    expect(outputText(result)).toBe(text)
  })
})

describe('a command', () => {
  it.each([
    [['/bin/bash', '-lc', 'make test'], 'make test'],
    [['git', 'commit', '-m', "don't"], "git commit -m 'don'\\''t'"],
    ['ls', 'ls'],
  ])('%j is %j', (command, line) => {
    expect(commandOf(call('execute', { command }, 'execute'))).toBe(line)
  })

  it('may be told in the title only', () => {
    expect(commandOf({ ...call('execute', {}, 'execute'), title: 'Run `make test`' })).toBe('make test')
  })
})

describe('of a conversation', () => {
  it.each(RECORDINGS)('$name: every call has a picture, a line, and an output', ({ events }) => {
    for (const item of all(fold(EMPTY, events).items)) {
      if (item.kind !== 'tool') continue
      expect(toolIcon(item)).toBeTruthy()
      expect(summaryOf(item)).not.toMatch(/[\n]/)
      expect(typeof outputOf(item)).toBe('string')
    }
  })
})
