// A conversation while a batch of events is folded into it: each list is copied at most once, and only if it changes.
//
// Rule: texts that are still being written stand at the end of their list, and what begins meanwhile goes before them.
//       History knows a text only from its final; so both have the same order, and nothing on the screen changes places.
import type { Conversation, Item, TextItem, ThinkingItem, ToolItem } from './model'

/** A list of items, by the places of the tools above it: none for the conversation itself. */
export type Path = readonly number[]

/** A tool's place never changes, since only open texts stand where something is put in. */
export interface Place {
  path: Path
  index: number
}

export type Writing = TextItem | ThinkingItem

function isOpen(item: Item | undefined): item is Writing {
  return item !== undefined && (item.kind === 'text' || item.kind === 'thinking') && item.isOpen
}

export class Draft implements Conversation {
  head: number
  runs: Conversation['runs']
  waiting: Conversation['waiting']
  todos: Conversation['todos']
  facts: Conversation['facts']
  #items: readonly Item[]
  readonly #owned = new Set<readonly Item[]>()

  constructor(before: Conversation) {
    this.head = before.head
    this.runs = before.runs
    this.waiting = before.waiting
    this.todos = before.todos
    this.facts = before.facts
    this.#items = before.items
  }

  done(): Conversation {
    const { head, runs, items, waiting, todos, facts } = this
    return { head, runs, items, waiting, todos, facts }
  }

  get items(): readonly Item[] {
    return this.#items
  }

  /** The run under way, or the last one; 0 if its beginning is not known. */
  get run(): number {
    return this.runs.at(-1)?.number ?? 0
  }

  list(path: Path): readonly Item[] {
    return path.reduce((list, index) => (list[index] as ToolItem).children, this.#items)
  }

  at({ path, index }: Place): Item {
    return this.list(path)[index]!
  }

  put({ path, index }: Place, item: Item): void {
    this.#own(path)[index] = item
  }

  /** Puts something in that is whole: before the texts that are still being written. */
  add(path: Path, item: Item): void {
    const list = this.#own(path)
    const index = writtenOf(list)
    // `splice` would copy the whole list to make it one longer; `push` leaves room for more.
    if (index === list.length) list.push(item)
    else list.splice(index, 0, item)
  }

  /** Begins a text that is still being written. */
  open(path: Path, item: Writing): void {
    this.#own(path).push(item)
  }

  remove({ path, index }: Place): void {
    this.#own(path).splice(index, 1)
  }

  /** The last item that is whole. */
  lastWritten(path: Path): Place | null {
    const index = writtenOf(this.list(path)) - 1
    return index < 0 ? null : { path, index }
  }

  /** The text of this kind that is being written there. */
  writing(path: Path, kind: Writing['kind']): Place | null {
    const list = this.list(path)
    for (let index = list.length - 1; isOpen(list[index]); index -= 1) {
      if (list[index]!.kind === kind) return { path, index }
    }
    return null
  }

  /** Where what belongs to a tool call goes; what belongs to an unknown one is shown all the same. */
  below(toolId: string | undefined): Path {
    const place = toolId === undefined ? null : this.tool(toolId)
    return place === null ? [] : [...place.path, place.index]
  }

  /** The call of this id in this run, the newest if there are several. */
  tool(toolId: string): Place | null {
    return this.find((item) => item.kind === 'tool' && item.toolId === toolId)
  }

  /** The newest item of this run for which it holds; those of the conversation itself before those of subagents. */
  find(holds: (item: Item) => boolean, path: Path = []): Place | null {
    const list = this.list(path)
    const first = firstOf(list, this.run)
    for (let index = list.length - 1; index >= first; index -= 1) {
      if (holds(list[index]!)) return { path, index }
    }
    for (let index = list.length - 1; index >= first; index -= 1) {
      const item = list[index]!
      if (item.kind !== 'tool' || item.children.length === 0) continue
      const found = this.find(holds, [...path, index])
      if (found !== null) return found
    }
    return null
  }

  /** Changes items of this run, also those of subagents; what `change` gives back as it was stays what it was. */
  changeAll(change: (item: Item) => Item, path: Path = []): void {
    const list = this.list(path)
    const first = firstOf(list, this.run)
    for (let index = list.length - 1; index >= first; index -= 1) {
      const item = list[index]!
      if (item.kind === 'tool' && item.children.length > 0) this.changeAll(change, [...path, index])
      const before = this.at({ path, index })
      const after = change(before)
      if (after !== before) this.put({ path, index }, after)
    }
  }

  #own(path: Path): Item[] {
    let list = this.#copied(this.#items)
    this.#items = list
    for (const index of path) {
      const tool = list[index] as ToolItem
      const children = this.#copied(tool.children)
      if (children !== tool.children) list[index] = { ...tool, children }
      list = children
    }
    return list
  }

  #copied(list: readonly Item[]): Item[] {
    if (this.#owned.has(list)) return list as Item[]
    const copy = list.slice()
    this.#owned.add(copy)
    return copy
  }
}

/** How many of the items at the beginning are whole. */
function writtenOf(list: readonly Item[]): number {
  let count = list.length
  while (isOpen(list[count - 1])) count -= 1
  return count
}

/** Where what belongs to this run begins. */
function firstOf(list: readonly Item[], run: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.run < run) low = middle + 1
    else high = middle
  }
  return low
}
