// A session as a Markdown document that people can read without Holdfast.
import type { SessionRecord } from 'holdfast-client'
import type {
  Asked,
  AskedItem,
  Conversation,
  EndItem,
  Item,
  NoteItem,
  OutputItem,
  ToolItem,
  UserItem,
} from '@/fold/model'
import { outputOf } from '@/fold/select'
import { asObject, asText } from '@/fold/values'
import type { Format } from '@/i18n/format'
import { contained, fenced, inHtml, inLine, inlineCode, quoted } from './markdownText'

export interface Words {
  /** A text of the namespace `after`; `fallback` if there is none of that name. */
  t(key: string, values?: Readonly<Record<string, string | number>>, fallback?: string): string
  status(status: SessionRecord['status']): string
  stopReason(reason: string): string
  format: Format
}

export function markdownOf(record: SessionRecord, conversation: Conversation, title: string, words: Words): string {
  const blocks = [`# ${inLine(title)}`, about(record, words)]
  let run = 0
  for (const item of conversation.items) {
    if (item.run !== run) {
      run = item.run
      blocks.push(`## ${words.t('markdown.run', { number: run })} · ${words.format.dateTime(item.at)}`)
    }
    blocks.push(...blocksOf(item, words))
  }
  const last = conversation.runs.at(-1)
  if (last && last.end === null) blocks.push(`*${words.t('markdown.unfinished')}*`)
  return `${blocks.join('\n\n')}\n`
}

function about(record: SessionRecord, { t, status, format }: Words): string {
  const rows: [string, string | undefined][] = [
    ['session', inlineCode(record.session_id)],
    ['agent', inLine([record.agent, record.model].filter(Boolean).join(' · '))],
    ['project', record.project_id && inLine(record.project_id)],
    ['workspace', inlineCode(record.workspace)],
    ['status', status(record.status)],
    ['created', format.dateTime(record.created_at)],
    ['updated', format.dateTime(record.updated_at)],
  ]
  return list(rows, t)
}

function list(rows: readonly (readonly [string, string | null | undefined])[], t: Words['t']): string {
  return rows
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `- **${t(`markdown.${name}`)}:** ${value}`)
    .join('\n')
}

function blocksOf(item: Item, words: Words): string[] {
  switch (item.kind) {
    case 'user':
      return userBlocks(item, words)
    case 'text':
      return [contained(item.text)]
    case 'thinking':
      return [details(words.t('markdown.thinking'), [quoted(contained(item.text))])]
    case 'tool':
      return [toolBlock(item, words)]
    case 'output':
      return outputBlocks(item, words)
    case 'asked':
      return askedBlocks(item, words)
    case 'note':
      return [noteBlock(item, words)]
    case 'end':
      return endBlocks(item, words)
  }
}

function userBlocks({ text, attachments, resume }: UserItem, { t }: Words): string[] {
  if (resume === 'continue') return [`*${t('markdown.resumed')}*`]
  const names = attachments.map((attachment) => inlineCode(attachment.name)).join(', ')
  const said = quoted(`**${t('markdown.user')}**\n\n${contained(text)}`)
  return names === '' ? [said] : [said, `${t('markdown.attachments')}: ${names}`]
}

const MARKS: Record<ToolItem['state'], string> = {
  running: '…',
  waiting: '…',
  done: '✓',
  failed: '✗',
  refused: '⊘',
  unknown: '?',
}

function toolBlock(tool: ToolItem, words: Words): string {
  const { t, format } = words
  const time = tool.durationMs === null ? '' : ` · ${format.duration(tool.durationMs)}`
  const name = tool.title && tool.title !== tool.name ? `${tool.name}: ${tool.title}` : tool.name
  const state = t(`timeline.states.${tool.state}`)
  const body = [`**${t('markdown.input')}**`, inputBlock(tool.input)]
  if (tool.children.length > 0) {
    const inside = tool.children.flatMap((child) => blocksOf(child, words)).join('\n\n')
    body.push(`**${t('markdown.subagent')}**`, quoted(inside))
  }
  const result = outputOf(tool)
  body.push(...(result === '' ? [`*${t('markdown.no_output')}*`] : [`**${t('markdown.output')}**`, fenced(result)]))
  return details(`${MARKS[tool.state]} ${name} · ${state}${time}`, body)
}

function inputBlock(input: unknown): string {
  const { command, ...others } = asObject(input)
  if (typeof command === 'string' && Object.keys(others).every((name) => name === 'description')) {
    return fenced(command, 'sh')
  }
  return fenced(typeof input === 'string' ? input : JSON.stringify(input ?? null, null, 2), 'json')
}

function outputBlocks({ data }: OutputItem, { t }: Words): string[] {
  const blocks = [`### ${t('markdown.result')}`]
  for (const text of [data.output, data.error, data.comments]) if (text !== '') blocks.push(contained(text))
  const files = data.result_files.map((file) => `- ${inlineCode(file)}`)
  if (files.length > 0) blocks.push(`**${t('markdown.files')}**`, files.join('\n'))
  return blocks
}

function askedBlocks({ asked }: AskedItem, { t }: Words): string[] {
  const { resolved } = asked
  const decision = decisionOf(asked, t)
  const by = resolved?.by ? ` (${inLine(t('markdown.by', { by: resolved.by }))})` : ''
  const message = asText(resolved?.message)
  const answer = `${decision}${by}${message === null ? '' : `: ${inLine(message)}`}`
  if (asked.kind === 'permission') {
    const { tool_name: name } = asked.request
    return [`**${t('markdown.permission', { name: inLine(name) })}** → ${answer}`]
  }
  const answers =
    Object.keys(asObject(resolved?.answers)).length > 0
      ? [fenced(JSON.stringify(resolved?.answers, null, 2), 'json')]
      : []
  const questions = asked.request.questions.map((question) => question.text)
  const text = [asked.request.text, ...questions].filter((one) => asText(one) !== null)
  return [
    `**${t('markdown.question')}**`,
    quoted(contained([...new Set(text)].join('\n\n'))),
    `→ ${answer}`,
    ...answers,
  ]
}

function decisionOf({ kind, resolved }: Asked, t: Words['t']): string {
  if (resolved === null) return t('markdown.waiting')
  if (kind === 'question' && resolved.decision.startsWith('allow')) return t('decision.answered')
  return t(`decision.${resolved.decision}`, {}, resolved.decision)
}

function noteBlock({ event, count }: NoteItem, { t }: Words): string {
  const data: Readonly<Record<string, unknown>> = event.data
  const detail = asText(data.message) ?? asText(data.text) ?? asText(data.profile_name) ?? ''
  const times = count > 1 ? ` (× ${count})` : ''
  return `*${t(`event.${event.type}`, {}, event.type)}${times}${detail === '' ? '' : `: ${inLine(detail)}`}*`
}

function endBlocks({ end }: EndItem, { t, format, stopReason }: Words): string[] {
  const { termination } = end
  const hasTokens = end.inputTokens !== null || end.outputTokens !== null
  const tokens = [end.inputTokens, end.outputTokens].map((count) => (count === null ? '–' : format.number(count)))
  const rows: [string, string | null | undefined][] = [
    ['stop_reason', end.stopReason && `${stopReason(end.stopReason)} (${inlineCode(end.stopReason)})`],
    ['message', end.message && inLine(end.message)],
    ['exit_code', termination?.exit_code?.toString()],
    ['signal', termination?.signal && inLine(termination.signal)],
    ['cost', end.costUsd === null ? null : format.cost(end.costUsd)],
    ['duration', end.durationMs === null ? null : format.duration(end.durationMs)],
    ['turns', end.turns?.toString()],
    ['tokens', hasTokens ? tokens.join(' / ') : null],
  ]
  const blocks = [`### ${t('markdown.end')}`, list(rows, t)]
  const stderr = termination?.stderr
  if (stderr) {
    const tail = stderr.tail ?? ''
    const left = stderr.total_lines - lineCount(stderr.head) - lineCount(tail)
    const between = left > 0 ? t('markdown.left_out', { count: left }) : ''
    const text = [stderr.head, between, tail].filter((part) => part !== '').join('\n')
    blocks.push(`**${t('markdown.stderr', { count: stderr.total_lines })}**`, fenced(text))
  }
  return blocks.filter((block) => block !== '')
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

function details(summary: string, body: readonly string[]): string {
  return [`<details>\n<summary>${inHtml(summary)}</summary>`, ...body, '</details>'].join('\n\n')
}
