import type { SessionRecord } from 'holdfast-client'
import i18next from 'i18next'
import { Lexer, type Token } from 'marked'
import { beforeAll, describe, expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { resources } from '@/i18n'
import { formatFor } from '@/i18n/format'
import { markdownOf, type Words } from './markdown'
import { wordsOf } from './useWords'

const RECORD: SessionRecord = {
  session_id: '7c782d7a-d783-481f-8755-3ae8b3563cfd',
  status: 'complete',
  agent: 'demo',
  workspace: '/home/me/shop',
  task: 'Go',
  runs: 1,
  head: 9,
  created_at: '2026-01-05T12:00:00.000Z',
  updated_at: '2026-01-05T12:05:00.000Z',
}

let words: Words
beforeAll(async () => {
  const i18n = i18next.createInstance()
  await i18n.init({ resources: resources(), lng: 'en', interpolation: { escapeValue: false } })
  words = wordsOf(i18n, formatFor('en'))
})

const written = (log: Log, title = 'Go') => markdownOf(RECORD, fold(EMPTY, log.events), title, words)

describe('a transcript', () => {
  test('tells what was asked, said and done, run by run, and how it ended', () => {
    const log = new Log()
      .user('Fix the\ntest')
      .thought('Let me look')
      .said('I look **now**.')
      .call('a', 'Bash', { command: 'make test' })
      .returned('a', { result: 'all fine', duration_ms: 1200 })
      .complete({
        total_cost_usd: 0.42,
        duration_ms: 83_000,
        num_turns: 7,
        usage: { input_tokens: 1000, output_tokens: 20 },
      })
      .user('Once more')
      .crash()
    const markdown = written(log, 'Fix the test')
    const inOrder = [
      '# Fix the test',
      '- **Session:** `7c782d7a-d783-481f-8755-3ae8b3563cfd`',
      '- **Status:** Finished',
      '## Run 1',
      '> **User**\n>\n> Fix the\n> test',
      '<summary>Thinking</summary>\n\n> Let me look\n\n</details>',
      'I look **now**.',
      '<summary>✓ Bash · done · 1.2 s</summary>',
      '```sh\nmake test\n```',
      '```\nall fine\n```',
      '### End',
      '(`success`)',
      '- **Cost:** $0.42',
      '- **Time:** 1 min 23 s',
      '- **Turns:** 7',
      '- **Tokens in / out:** 1,000 / 20',
      '## Run 2',
      '> Once more',
      '- **Message:** agent exited with status 3',
      '- **Exit code:** 3',
    ]
    let from = 0
    for (const part of inOrder) {
      const at = markdown.indexOf(part, from)
      expect(at, part).toBeGreaterThanOrEqual(from)
      from = at + part.length
    }
  })

  test('has the error output with what was left out', () => {
    const log = new Log().user('Go').add('error', {
      message: 'agent exited with status 3',
      error_type: 'process_exit',
      stop_reason: 'process_exit',
      termination_info: {
        reason: 'error',
        terminated_by: 'agent',
        stderr: { head: 'one\ntwo', tail: 'nine\nten', truncated: true, total_lines: 10 },
      },
    })
    expect(written(log)).toContain('**Error output (10 lines)**\n\n```\none\ntwo\n… 6 lines left out …\nnine\nten\n```')
  })

  test('has what a subagent did within the call that started it', () => {
    const log = new Log()
      .user('Go')
      .call('t', 'Task')
      .said('# Found it', 't')
      .call('i', 'Read', {}, 't')
      .returned('i')
      .returned('t')
    expect(written(log)).toContain('> #### Found it\n>\n> <details>\n> <summary>✓ Read')
  })

  test('tells who answered what', () => {
    const log = new Log().user('Go').ask('r').answer('r', 'deny', { message: 'Not *that* way' })
    expect(written(log)).toContain('**Permission asked for: Bash** → denied (by local): Not \\*that\\* way')
  })

  test('says that a run is still under way', () => {
    expect(written(new Log().user('Go'))).toContain('*The run has not ended yet.*')
  })

  test('shows other inputs and results than texts as JSON', () => {
    const log = new Log()
      .user('Go')
      .call('a', 'Read', { path: 'x', limit: 3 })
      .returned('a', { result: { rows: [1] } })
      .call('b', 'Read', 'just words')
      .returned('b', {
        result: [
          { type: 'text', text: 'one' },
          { type: 'content', content: { type: 'text', text: 'two' } },
        ],
      })
    const markdown = written(log)
    expect(markdown).toContain('```json\n{\n  "path": "x",\n  "limit": 3\n}\n```')
    expect(markdown).toContain('```\n{\n  "rows": [\n    1\n  ]\n}\n```')
    expect(markdown).toContain('```\none\ntwo\n```')
  })
})

const HOSTILE = {
  'an open fence': '```\nnever closed',
  'an open fence of tildes': '~~~~\nnever closed',
  'fences within': 'a\n```\nb\n````\nc\n`````````\nd',
  'an open comment': 'text\n\n<!-- never closed\n\nmore',
  'an open element': '<details><summary>mine</summary>\n\n<pre>\n\nx',
  'an element in a line': 'text <details> and `\\` <b onclick="x()">bold',
  'closing ours': '</details>\n\n</summary></details>',
  'a script': '<script>alert(1)</script>',
  'a heading': '# Run 9\n\nRun 10\n===\n\n## Run 11',
  'a list with an open fence': '- a\n  ```\n  code\n- b\n\n  <div>',
  'a table with an element': '| a |\n|---|\n| <details> |',
  'a quote with an open element': '> <details>\n> x',
  'other line ends': 'a\r```\rb\r\n# c\u2028d',
  'a definition': '[Run 1]: javascript:alert(1)\n\n[Run 1]',
  'cdata and instructions': '<![CDATA[ x\n\n<?php y\n\n<!DOCTYPE',
  backticks: '`` ` ``` ```` x',
}

describe('whatever is in it', () => {
  const everywhere = (text: string) =>
    new Log()
      .user(text, { attachments: [{ name: text, media_type: 'text/plain', size: 1 }] as never })
      .thought(text)
      .said(text)
      .call('a', text, { command: text }, undefined)
      .call('b', 'Read', { path: text })
      .said(text, 'a')
      .returned('b', { result: text })
      .returned('a', { result: [{ type: 'text', text }] })
      .ask('r')
      .answer('r', 'deny', { message: text, by: text })
      .add('question', { request_id: 'q', text, questions: [], expires_at: '2026-01-05T13:00:00.000Z' })
      .add('output_display', { output: text, error: text, comments: text, result_files: [text], status: text })
      .add('agent_unparsed', { text })
      .add('error', {
        message: text,
        error_type: text,
        stop_reason: 'process_exit',
        termination_info: {
          reason: 'error',
          terminated_by: 'agent',
          stderr: { head: text, truncated: false, total_lines: 1 },
        },
      })
      .user('The next task')

  for (const [name, text] of Object.entries(HOSTILE)) {
    test(`${name} stays where it is`, () => {
      const markdown = written(everywhere(text), text)
      const tokens = new Lexer({ gfm: true }).lex(markdown)

      // Ours are those of the first three levels, and each is there.
      const headings = tokens.flatMap((token) =>
        token.type === 'heading' && token.depth > 1 && token.depth < 4 ? [token.text] : [],
      )
      expect(headings.map((heading) => heading.replace(/ · .*/, ''))).toEqual(['Run 1', 'Result', 'End', 'Run 2'])
      expect(tokens.filter((token) => token.type === 'heading' && token.depth === 1)).toHaveLength(1)
      expect(tokens.at(-1)).toMatchObject({ type: 'paragraph', text: '*The run has not ended yet.*' })

      // The only elements are ours, each opened and closed.
      const html = htmlIn(tokens)
      expect(html.every((raw) => /^(<details>\n<summary>[^<>\n]*<\/summary>|<\/details>)$/.test(raw))).toBe(true)
      expect(html.filter((raw) => raw === '</details>')).toHaveLength(html.length / 2)
    })
  }

  test('a result is whole, however it looks', () => {
    for (const text of Object.values(HOSTILE)) {
      const tokens = new Lexer({ gfm: true }).lex(
        written(new Log().user('Go').call('a').returned('a', { result: text })),
      )
      const codes = tokens.flatMap((token) => (token.type === 'code' ? [token.text] : []))
      expect(codes).toContain(text.replace(/\r\n?/g, '\n'))
    }
  })
})

function htmlIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'html') return [token.raw.trim()]
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] }
    const cells = token.type === 'table' ? [...token.header, ...token.rows.flat()].flatMap((cell) => cell.tokens) : []
    return htmlIn([...inner, ...items, ...cells])
  })
}
