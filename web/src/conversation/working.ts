// What a run that is under way is doing, as its events tell.
import type { Asked, Item, Run, ToolItem } from '@/fold/model'
import type { WorkingOn } from './row'

export function workingOn(items: readonly Item[], waiting: readonly Asked[], run: Run): WorkingOn {
  if (waiting.length > 0) return { kind: 'person', since: waiting[0]!.at }
  const last = items.at(-1)
  if (last?.kind === 'text' && last.isOpen) return { kind: 'writing', since: last.at }
  if (last?.kind === 'thinking' && last.isOpen) return { kind: 'thinking', since: last.at }
  const tools = runningTools(items, last?.run ?? 0)
  const tool = tools.at(-1)
  if (tool) return { kind: 'tool', since: tool.at, tool, count: tools.length }
  if (!last || last.kind === 'user') {
    return run.atWorkAt ? { kind: 'model', since: run.atWorkAt } : { kind: 'start', since: run.startedAt }
  }
  return { kind: 'model', since: overAt(last) }
}

/** When an item was done with: what took its time began that much earlier. */
function overAt(item: Item): string {
  const took = item.kind === 'tool' || item.kind === 'thinking' ? (item.durationMs ?? 0) : 0
  return took > 0 ? new Date(Date.parse(item.at) + took).toISOString() : item.at
}

/** Those of this run; of a call with a subagent those that the subagent has running, if any. */
function runningTools(items: readonly Item[], run: number): ToolItem[] {
  const tools: ToolItem[] = []
  for (let index = items.length - 1; index >= 0 && items[index]!.run === run; index -= 1) {
    const item = items[index]!
    if (item.kind !== 'tool' || item.state !== 'running') continue
    const inside = runningTools(item.children, run)
    tools.unshift(...(inside.length > 0 ? inside : [item]))
  }
  return tools
}
