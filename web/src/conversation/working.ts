// What a run that is under way is doing, as its events tell.
import type { Asked, Item, ToolItem } from '@/fold/model'
import type { WorkingOn } from './row'

export function workingOn(items: readonly Item[], waiting: readonly Asked[]): WorkingOn {
  if (waiting.length > 0) return { kind: 'person' }
  const last = items.at(-1)
  if (last?.kind === 'text' && last.isOpen) return { kind: 'writing' }
  if (last?.kind === 'thinking' && last.isOpen) return { kind: 'thinking' }
  const tools = runningTools(items, last?.run ?? 0)
  if (tools.length > 0) return { kind: 'tool', tool: tools.at(-1)!, count: tools.length }
  return { kind: last?.kind === 'user' ? 'start' : 'model' }
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
