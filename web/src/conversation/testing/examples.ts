// Items and conversations made by hand, for tests.
import type { Todo } from 'holdfast-client'
import { EMPTY } from '@/fold/fold'
import type {
  AskedItem,
  Conversation,
  End,
  EndItem,
  Item,
  NoteItem,
  TextItem,
  ThinkingItem,
  ToolItem,
  UserItem,
} from '@/fold/model'

let sequence = 0

function base(kind: string) {
  sequence += 1
  return { key: `${kind}${sequence}`, sequence, last: sequence, at: '2026-03-01T12:00:00.000Z', run: 1 }
}

export const user = (words: string, more: Partial<UserItem> = {}): UserItem => ({
  ...base('user'),
  kind: 'user',
  text: words,
  attachments: [],
  resume: null,
  ...more,
})

export const text = (words: string, more: Partial<TextItem> = {}): TextItem => ({
  ...base('text'),
  kind: 'text',
  text: words,
  isOpen: false,
  ...more,
})

export const thinking = (words: string): ThinkingItem => ({
  ...base('thinking'),
  kind: 'thinking',
  text: words,
  isOpen: false,
  durationMs: 1200,
})

export const tool = (name: string, more: Partial<ToolItem> = {}): ToolItem => ({
  ...base('tool'),
  kind: 'tool',
  toolId: `call${sequence}`,
  name,
  toolKind: null,
  title: null,
  input: {},
  content: null,
  result: 'ok',
  state: 'done',
  durationMs: 20,
  children: [],
  ...more,
})

export const note = (): NoteItem => ({
  ...base('note'),
  kind: 'note',
  count: 1,
  event: {
    type: 'agent_retry',
    data: { attempt: 2, status: 529, delay_ms: 4000 },
    timestamp: '2026-03-01T12:00:00.000Z',
    sequence,
  },
})

export const permission = (toolId: string, decision: string | null): AskedItem => ({
  ...base('asked'),
  kind: 'asked',
  asked: {
    kind: 'permission',
    requestId: `request${sequence}`,
    sequence,
    at: '2026-03-01T12:00:00.000Z',
    request: {
      request_id: `request${sequence}`,
      tool_name: 'Bash',
      tool_input: {},
      tool_id: toolId,
      options: [],
      expires_at: '2026-03-01T12:10:00.000Z',
    },
    resolved: decision === null ? null : { request_id: `request${sequence}`, decision, by: 'local' },
  },
})

export const ending: End = {
  type: 'agent_complete',
  stopReason: 'success',
  agentStopReason: null,
  message: null,
  errorType: null,
  termination: null,
  resumable: false,
  limit: null,
  costUsd: 0.42,
  durationMs: 83_000,
  turns: 7,
  inputTokens: 12_345,
  outputTokens: 678,
  model: 'demo',
}

export const end = (more: Partial<End> = {}): EndItem => ({ ...base('end'), kind: 'end', end: { ...ending, ...more } })

export function conversationOf(
  items: readonly Item[],
  { runs = 1, todos = [] }: { runs?: number; todos?: readonly Todo[] } = {},
): Conversation {
  const last = items.at(-1)
  return {
    head: last?.last ?? 0,
    runs: Array.from({ length: runs }, (_, index) => ({
      number: index + 1,
      first: items[0]?.sequence ?? 0,
      last: null,
      task: 'x',
      startedAt: '2026-03-01T12:00:00.000Z',
      atWorkAt: null,
      endedAt: null,
      end: index === runs - 1 && last?.kind !== 'end' ? null : ending,
    })),
    items,
    waiting: [],
    todos,
    facts: { ...EMPTY.facts, agent: 'demo' },
  }
}
