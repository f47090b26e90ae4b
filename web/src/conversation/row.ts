// A row of the conversation: what the list on the screen is made of.
//
// Rule 1: a row's key never changes, and as long as nothing about it changes it is the same object, so that its
//         component is rendered once.
// Rule 2: every row knows the events that it stands for, so that a link to an event leads to a row.
import type { Todo } from 'holdfast-client'
import type {
  AskedItem,
  EndItem,
  Item,
  NoteItem,
  OutputItem,
  Run,
  TextItem,
  ThinkingItem,
  ToolItem,
  UserItem,
} from '@/fold/model'
import type { Block } from '@/markdown/blocks'

/** The room above a row, from none to that between two tasks. */
export type Gap = 'none' | 's' | 'm' | 'l' | 'xl'

interface RowBase {
  key: string
  /** The events that it stands for. */
  sequence: number
  last: number
  /** How many subagents it is below of. */
  depth: number
  gap: Gap
}

/** Where a run begins, if there are several, or another day. */
export interface DividerRow extends RowBase {
  kind: 'divider'
  run: Run | null
  at: string
}

export interface UserRow extends RowBase {
  kind: 'user'
  item: UserItem
}

/** One block of a text. */
export interface BlockRow extends RowBase {
  kind: 'block'
  /** Of the text that it is part of. */
  itemKey: string
  block: Block
  isFirst: boolean
  /** The last block of a text that is still being written. */
  isOpen: boolean
}

/** A short text that was finished when it came: all of its blocks. */
export interface TextRow extends RowBase {
  kind: 'text'
  item: TextItem
}

export interface ThinkingRow extends RowBase {
  kind: 'thinking'
  item: ThinkingItem
  isUnfolded: boolean
}

export interface ToolRow extends RowBase {
  kind: 'tool'
  item: ToolItem
  isUnfolded: boolean
}

/** A call that has started a subagent; what it did follows if it is unfolded. */
export interface SubagentRow extends RowBase {
  kind: 'subagent'
  item: ToolItem
  isUnfolded: boolean
}

/** Several finished calls in one line; they follow if it is unfolded. */
export interface GroupRow extends RowBase {
  kind: 'group'
  tools: readonly ToolItem[]
  /** How often the agent thought between them. */
  thoughts: number
  isUnfolded: boolean
}

export interface OutputRow extends RowBase {
  kind: 'output'
  item: OutputItem
}

export interface AskedRow extends RowBase {
  kind: 'asked'
  item: AskedItem
}

export interface NoteRow extends RowBase {
  kind: 'note'
  item: NoteItem
  isUnfolded: boolean
}

export interface EndRow extends RowBase {
  kind: 'end'
  item: EndItem
  /** Nothing was begun after it. */
  isLast: boolean
}

export interface TodosRow extends RowBase {
  kind: 'todos'
  todos: readonly Todo[]
  isOver: boolean
}

export interface WorkingRow extends RowBase {
  kind: 'working'
  on: WorkingOn
}

/** What a run that is under way waits for, and since when. */
export type WorkingOn =
  | { kind: 'start' | 'model' | 'writing' | 'thinking' | 'person'; since: string }
  | { kind: 'tool'; since: string; tool: ToolItem; count: number }

export type Row =
  | DividerRow
  | UserRow
  | BlockRow
  | TextRow
  | ThinkingRow
  | ToolRow
  | SubagentRow
  | GroupRow
  | OutputRow
  | AskedRow
  | NoteRow
  | EndRow
  | TodosRow
  | WorkingRow

export type RowOf<Kind extends Row['kind']> = Extract<Row, { kind: Kind }>

/** What somebody has unfolded or folded, by the row's key; the rest is as it comes. */
export type Folds = ReadonlyMap<string, boolean>

export const groupKey = (first: Item) => `group ${first.key}`
