// A conversation and what is unfolded in it → the rows of the list. Pure; what is as it was keeps its identity.
import type { Conversation, Item, TextItem, ToolItem } from '@/fold/model'
import { type Blocks, blocks } from '@/markdown/blocks'
import { gapBefore } from './gaps'
import { type Group, grouped } from './groups'
import { type Folds, groupKey, type Row, type RowOf } from './row'
import { workingOn } from './working'

export interface Rows {
  list: readonly Row[]
  /** Something long is still to be lexed: another call goes on with it. */
  isPartial: boolean
  /** For the next call. */
  memory: Memory
}

interface Memory {
  byKey: ReadonlyMap<string, Row>
  texts: ReadonlyMap<string, Blocks>
}

// A text of this length is a screen or two, and one row. A longer one, and one that grows, has a row for each block.
const SHORT = 4_000
// So many characters are lexed in a call: more would be felt.
const LEXED_AT_ONCE = 40_000

export function rowsOf(conversation: Conversation, folds: Folds, isActive: boolean, previous: Rows | null): Rows {
  const making = new Making(folds, previous?.memory ?? null)
  making.lexFromTheEnd(conversation.items)
  making.conversation(conversation, isActive)
  return making.done()
}

class Making {
  readonly #folds: Folds
  readonly #before: Memory | null
  readonly #list: Row[] = []
  readonly #byKey = new Map<string, Row>()
  readonly #texts = new Map<string, Blocks>()
  #isPartial = false

  constructor(folds: Folds, before: Memory | null) {
    this.#folds = folds
    this.#before = before
  }

  done(): Rows {
    return { list: this.#list, isPartial: this.#isPartial, memory: { byKey: this.#byKey, texts: this.#texts } }
  }

  /** The newest first: a session is opened at its end. */
  lexFromTheEnd(items: readonly Item[]): void {
    let left = LEXED_AT_ONCE
    const walk = (list: readonly Item[]) => {
      for (let index = list.length - 1; index >= 0; index -= 1) {
        const item = list[index]!
        if (item.kind === 'tool' && item.children.length > 0) walk(item.children)
        if (item.kind !== 'text') continue
        const known = this.#before?.texts.get(item.key) ?? null
        if (!known && !item.isOpen && item.text.length <= SHORT) continue
        const lexed = known?.text.length ?? 0
        const to = Math.min(item.text.length, lexed + Math.max(left, 0))
        if (to < item.text.length) this.#isPartial = true
        left -= Math.max(0, to - lexed)
        if (to > 0)
          this.#texts.set(item.key, blocks(known, item.text.slice(0, to), item.isOpen || to < item.text.length))
      }
    }
    walk(items)
  }

  conversation({ items, runs, todos, waiting }: Conversation, isActive: boolean): void {
    const run = runs.at(-1)
    const isOver = run?.end != null
    const todosBehind = todos.length > 0 && isOver ? lastText(items, run.number) : null
    const addTodos = () => this.#add({ kind: 'todos', key: 'todos', ...nowhere, todos, isOver })
    const days = new Days()

    for (const entry of grouped(items)) {
      const first = entry.kind === 'group' ? entry.items[0]! : entry
      const isNewDay = days.isNew(first.at)
      const begun =
        first.kind === 'user' && runs.length > 1 ? runs.find(({ number }) => number === first.run) : undefined
      if (begun || isNewDay) this.#divider(first, begun ?? null)
      if (entry.kind === 'group') this.#group(entry, 0)
      else this.#item(entry, 0, items)
      if (entry === todosBehind) addTodos()
    }
    if (todos.length > 0 && todosBehind === null) addTodos()
    if (isActive && !isOver && run) {
      this.#add({ kind: 'working', key: 'working', ...nowhere, on: workingOn(items, waiting, run) })
    }
  }

  #inside(items: readonly Item[], depth: number): void {
    for (const entry of grouped(items)) {
      if (entry.kind === 'group') this.#group(entry, depth)
      else this.#item(entry, depth, items)
    }
  }

  #divider({ key, sequence, at }: Item, run: RowOf<'divider'>['run']): void {
    this.#add({ kind: 'divider', key: `divider ${key}`, sequence, last: sequence, depth: 0, run, at })
  }

  #group({ items, tools }: Group, depth: number): void {
    const key = groupKey(items[0]!)
    const isUnfolded = this.#folds.get(key) ?? false
    const { sequence } = items[0]!
    const last = items.reduce((latest, item) => Math.max(latest, item.last), sequence)
    const thoughts = items.filter(({ kind }) => kind === 'thinking').length
    this.#add({ kind: 'group', key, sequence, last, depth, tools, thoughts, isUnfolded })
    if (isUnfolded) for (const item of items) this.#item(item, depth + 1, items)
  }

  #item(item: Item, depth: number, beside: readonly Item[]): void {
    const { key, sequence, last } = item
    const base = { key, sequence, last, depth }
    switch (item.kind) {
      case 'text':
        this.#text(item, depth)
        return
      case 'tool':
        this.#tool(item, depth)
        return
      case 'thinking':
      case 'note':
        this.#add({ ...base, kind: item.kind, item, isUnfolded: this.#folds.get(key) ?? false } as Bare<Row>)
        return
      case 'asked': {
        // The call that waits says so itself, and the dock has the question.
        const { resolved, request } = item.asked
        const isShown = beside.some((other) => other.kind === 'tool' && other.toolId === request.tool_id)
        if (resolved !== null || !isShown) this.#add({ ...base, kind: 'asked', item })
        return
      }
      case 'end':
        this.#add({ ...base, kind: 'end', item, isLast: beside.at(-1) === item })
        return
      default:
        this.#add({ ...base, kind: item.kind, item } as Bare<Row>)
    }
  }

  #tool(item: ToolItem, depth: number): void {
    const { key, sequence, last, children } = item
    if (children.length === 0) {
      this.#add({ kind: 'tool', key, sequence, last, depth, item, isUnfolded: this.#folds.get(key) ?? false })
      return
    }
    // A subagent at work is watched; one that has finished is a line like any other call.
    const isUnfolded = this.#folds.get(key) ?? item.state === 'running'
    this.#add({ kind: 'subagent', key, sequence, last: sequence, depth, item, isUnfolded })
    if (isUnfolded) this.#inside(children, depth + 1)
  }

  #text(item: TextItem, depth: number): void {
    const { key: itemKey, sequence, last } = item
    const lexed = this.#texts.get(itemKey)
    if (!lexed) {
      this.#add({ kind: 'text', key: itemKey, sequence, last, depth, item })
      return
    }
    for (const [index, block] of lexed.list.entries()) {
      const key = index === 0 ? itemKey : `${itemKey} ${block.key}`
      const isLast = index === lexed.list.length - 1
      const isOpen = item.isOpen && isLast
      // Only the last one has the item's last event, which changes with each piece: finished blocks do not.
      const place = { sequence, last: isLast ? last : sequence, depth }
      this.#add({ kind: 'block', key, ...place, itemKey, block, isFirst: index === 0, isOpen })
    }
  }

  #add(bare: Bare<Row>): void {
    const row = { ...bare, gap: gapBefore(this.#list.at(-1), bare) } as Row
    const before = this.#before?.byKey.get(row.key)
    const kept = before && isSame(before, row) ? before : row
    this.#list.push(kept)
    this.#byKey.set(row.key, kept)
  }
}

/** Stands for no event. */
const nowhere = { sequence: 0, last: 0, depth: 0 } as const

/** A row before its gap is known. */
export type Bare<R> = R extends Row ? Omit<R, 'gap'> : never

function isSame(one: Row, other: Row): boolean {
  const names = Object.keys(one) as (keyof Row)[]
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === other[name] || isSameValue(one[name], other[name]))
  )
}

/** Lists and small objects that are made anew each time: of the same parts. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, index) => part === other[index])
  }
  if (!isWorkingOn(one) || !isWorkingOn(other)) return false
  return one.kind === other.kind && one.since === other.since && one.tool === other.tool && one.count === other.count
}

function isWorkingOn(value: unknown): value is { kind: string; since: string; tool?: unknown; count?: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value && !('key' in value)
}

/** The last thing that the agent said in this run itself. */
function lastText(items: readonly Item[], run: number): Item | null {
  return items.findLast((item) => item.kind === 'text' && item.run === run) ?? null
}

/** Whether a time is on another day than the one before, where the reader is. */
class Days {
  #last: string | null = null

  isNew(at: string): boolean {
    const day = new Date(at).toDateString()
    const isNew = this.#last !== null && this.#last !== day
    this.#last = day
    return isNew
  }
}
