// What the screen shows of a session: the values that `fold` makes of its events.
//
// Rule 1: values are never changed. Whatever an event does not touch keeps its identity, so that what is on the
//         screen need not be looked at again.
// Rule 2: an item's `key` is its identity on the screen and never changes; it comes from the first event of the item.
import type { Attachment, EventOf, StopReason, TerminationInfo, Todo } from 'holdfast-client'

export interface Conversation {
  /** The last sequence that was folded; the next event must be the one after it, or come from behind a known gap. */
  head: number
  runs: readonly Run[]
  /**
   * In the order of the log, where a text has the place of its final: until then it stands at the end. What a subagent
   * does stands in `children` of its tool item.
   */
  items: readonly Item[]
  /** What waits for a person's answer, the oldest first. */
  waiting: readonly Asked[]
  /** The todo list as it stands, of the last run that had one. */
  todos: readonly Todo[]
  facts: Facts
}

/** What is known of the session beside its conversation; also while it runs. */
export interface Facts {
  agent: string | null
  model: string | null
  mode: string | null
  profile: string | null
  /** Tokens in the context and the size of it, as the agent last told. */
  contextUsed: number | null
  contextSize: number | null
  /** Of the run under way, as far as it is told, or of the last one; as the session's record has it. */
  costUsd: number | null
}

export interface Run {
  number: number
  /** Where it began and, once it is over, ended: sequences. */
  first: number
  last: number | null
  task: string
  startedAt: string
  /** When its agent was ready, and had the task; null until then. */
  atWorkAt: string | null
  endedAt: string | null
  end: End | null
}

/** Why a run ended, whatever kind of event said so. */
export interface End {
  type: 'agent_complete' | 'error' | 'cancelled'
  stopReason: StopReason | null
  agentStopReason: string | null
  message: string | null
  errorType: string | null
  termination: TerminationInfo | null
  resumable: boolean
  limit: string | null
  costUsd: number | null
  durationMs: number | null
  turns: number | null
  inputTokens: number | null
  outputTokens: number | null
  model: string | null
}

interface ItemBase {
  key: string
  /** The first event of it. A deep link to any event between `sequence` and `last` leads here. */
  sequence: number
  last: number
  at: string
  run: number
}

export interface UserItem extends ItemBase {
  kind: 'user'
  text: string
  attachments: readonly Attachment[]
  resume: 'continue' | 'rerun' | null
}

export interface TextItem extends ItemBase {
  kind: 'text'
  text: string
  /** Still being written: the final has not come. */
  isOpen: boolean
}

export interface ThinkingItem extends ItemBase {
  kind: 'thinking'
  text: string
  isOpen: boolean
  durationMs: number | null
}

export type ToolState = 'running' | 'waiting' | 'done' | 'failed' | 'refused' | 'unknown'

export interface ToolItem extends ItemBase {
  kind: 'tool'
  toolId: string
  name: string
  /** The agent's own word for what kind of tool it is (read, edit, execute …), where it has one. */
  toolKind: string | null
  title: string | null
  input: unknown
  /** What the agent shows of the call while it is under way (ACP's content blocks: diffs, output), as last told. */
  content: readonly unknown[] | null
  result: unknown
  state: ToolState
  durationMs: number | null
  /** What a subagent that this call started has done. */
  children: readonly Item[]
}

export interface OutputItem extends ItemBase {
  kind: 'output'
  data: EventOf<'output_display'>['data']
}

/** A permission request or a question; resolved ones stay in the conversation as one line. */
export interface AskedItem extends ItemBase {
  kind: 'asked'
  asked: Asked
}

export type NoteEvent =
  | EventOf<'agent_retry'>
  | EventOf<'rate_limit'>
  | EventOf<'compacted'>
  | EventOf<'stalled'>
  | EventOf<'recovered'>
  | EventOf<'forked'>
  | EventOf<'discarded'>
  | EventOf<'imported'>
  | EventOf<'profile_switch'>
  | EventOf<'hook_triggered'>
  | EventOf<'agent_unparsed'>
  | EventOf<'agent_update'>

/** Something that happened beside the conversation. */
export interface NoteItem extends ItemBase {
  kind: 'note'
  event: NoteEvent
  /** How often the same came in a row (retries): only the last one is kept. */
  count: number
}

export interface EndItem extends ItemBase {
  kind: 'end'
  end: End
}

export type Item = UserItem | TextItem | ThinkingItem | ToolItem | OutputItem | AskedItem | NoteItem | EndItem

export type Asked = AskedPermission | AskedQuestion

interface AskedBase {
  requestId: string
  sequence: number
  at: string
  resolved: EventOf<'permission_resolved'>['data'] | null
}

export interface AskedPermission extends AskedBase {
  kind: 'permission'
  request: EventOf<'permission_request'>['data']
}

export interface AskedQuestion extends AskedBase {
  kind: 'question'
  request: EventOf<'question'>['data']
}
