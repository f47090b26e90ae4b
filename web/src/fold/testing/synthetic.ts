// Sessions as large as the screen must bear; also for the tests in a browser, so nothing of Node here.
import type { Envelope } from 'holdfast-client'
import { Log } from './log'
import { random } from './random'

const WORDS =
  'the tide comes and goes while the harbour lights are lit and nobody counts the boats that lie at the pier'.split(' ')

const CODE = ['const tide = (now: Date) => height(now)', 'export default tide', '// one reading for both', 'return 0']

/** A session of this many events or a few more: texts, thinking, tools in a row, subagents, edits, several runs. */
export function longSession(count = 5_000, seed = 1): Envelope[] {
  const next = random(seed)
  const log = new Log()
  const sentence = () => sentenceOf(next)
  for (let call = 0; log.events.length < count; ) {
    log.user(`Task ${call}: ${sentence()}`)
    const end = Math.min(count, log.events.length + 500)
    while (log.events.length < end) {
      log.thought(`${sentence()} ${sentence()}`)
      for (let tools = Math.floor(next() * 6); tools > 0; tools -= 1) {
        call += 1
        log.call(`call-${call}`, 'Bash', { command: `grep -n tide src/${call}.ts` })
        log.returned(`call-${call}`, { result: `${sentence()}\n${sentence()}`, is_error: next() < 0.1 })
      }
      call += 1
      const edit = { file_path: `/home/me/space/src/${call % 40}.ts`, old_string: CODE[0], new_string: CODE[1] }
      log.call(`call-${call}`, 'Edit', edit).returned(`call-${call}`, { tool_name: 'Edit' })
      if (next() < 0.2) subagent(log, `agent-${call}`, sentence)
      log.said(paragraphs(next, 2))
    }
    log.complete({ num_turns: 5, total_cost_usd: 0.1 })
  }
  return log.events
}

/** Markdown of this many characters, in this many pieces, as the next run of a session whose head is `head`. */
export function longMessage(head = 0, characters = 200_000, pieceCount = 4_000): Envelope[] {
  const next = random(2)
  let text = ''
  while (text.length < characters) text += `${block(next)}\n\n`
  text = text.slice(0, characters)
  const size = characters / pieceCount
  const log = new Log(head).user('Write it all down')
  log.say(Array.from({ length: pieceCount }, (_, n) => text.slice(Math.round(n * size), Math.round((n + 1) * size))))
  return log.said(text).complete().events
}

function subagent(log: Log, toolId: string, sentence: () => string): void {
  log.call(toolId, 'Agent', { description: 'A part of the work', prompt: sentence() })
  for (const part of [1, 2, 3]) {
    log.call(`${toolId}-${part}`, 'Read', { file_path: `/home/me/space/${part}.md` }, toolId)
    log.returned(`${toolId}-${part}`, { tool_name: 'Read', result: sentence(), parent_id: toolId })
  }
  log.said(sentence(), toolId).returned(toolId, { tool_name: 'Agent', result: sentence() })
}

function sentenceOf(next: () => number): string {
  const length = 5 + Math.floor(next() * 12)
  return `${Array.from({ length }, () => WORDS[Math.floor(next() * WORDS.length)]).join(' ')}.`
}

function paragraphs(next: () => number, count: number): string {
  return Array.from({ length: count }, () => `${sentenceOf(next)} ${sentenceOf(next)}`).join('\n\n')
}

/** One block of Markdown, of any of the kinds that a screen has to draw. */
function block(next: () => number): string {
  const kind = Math.floor(next() * 6)
  if (kind === 0) return `## ${sentenceOf(next)}`
  if (kind === 1) return Array.from({ length: 4 }, () => `- ${sentenceOf(next)}`).join('\n')
  if (kind === 2) return `\`\`\`ts\n${CODE.join('\n')}\n\`\`\``
  if (kind === 3) return `| tide | time |\n|---|---|\n| high | ${sentenceOf(next)} |\n| low | ${sentenceOf(next)} |`
  return paragraphs(next, 1)
}
