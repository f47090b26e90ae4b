// Runs of finished tool calls → groups that are one line on the screen.
//
// Rule: what failed, was refused, is running or waits is never in a group, and the order is kept.
import type { Item, ToolItem } from '@/fold/model'

export interface Group {
  kind: 'group'
  /** Calls, with the thoughts and permissions between them. */
  items: readonly Item[]
  tools: readonly ToolItem[]
}

// Two lines are not worth a third that folds them.
const SMALLEST = 3

export function grouped(items: readonly Item[]): readonly (Item | Group)[] {
  const list: (Item | Group)[] = []
  let run: Item[] = []
  const flush = () => {
    // Only what stands between two calls belongs to them.
    let end = run.length
    while (end > 0 && run[end - 1]!.kind !== 'tool') end -= 1
    const inside = run.slice(0, end)
    const tools = inside.filter((item) => item.kind === 'tool')
    if (tools.length >= SMALLEST) list.push({ kind: 'group', items: inside, tools })
    else list.push(...inside)
    list.push(...run.slice(end))
    run = []
  }
  for (const item of items) {
    if (isDone(item) || (run.length > 0 && isBetween(item))) run.push(item)
    else {
      flush()
      list.push(item)
    }
  }
  flush()
  return list
}

function isDone(item: Item): boolean {
  return item.kind === 'tool' && item.state === 'done' && item.children.length === 0
}

/** Neither a thought nor a permission that was given ends a run of calls. */
function isBetween(item: Item): boolean {
  if (item.kind === 'thinking') return !item.isOpen
  return item.kind === 'asked' && item.asked.kind === 'permission' && isAllowed(item.asked.resolved?.decision)
}

function isAllowed(decision: string | undefined): boolean {
  return decision?.startsWith('allow') ?? false
}
