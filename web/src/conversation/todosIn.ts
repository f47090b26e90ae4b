// The todo list that a call writes, whatever its agent calls it.
import type { Todo } from 'holdfast-client'
import type { ToolItem } from '@/fold/model'
import { toolIcon } from '@/fold/select'
import { asObject, asObjects, asText } from '@/fold/values'

export function todosIn(tool: ToolItem): readonly Todo[] {
  if (toolIcon(tool) !== 'todo') return []
  const input = asObject(tool.input)
  return [...asObjects(input.todos), ...asObjects(input.plan)].flatMap((entry) => {
    const content = asText(entry.content) ?? asText(entry.step)
    return content === null ? [] : [{ content, status: asText(entry.status) ?? 'pending' }]
  })
}
