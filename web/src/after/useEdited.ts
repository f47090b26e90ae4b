// The edits of a session, looked for again only if a call has changed something: while a text is written none does.
import { useRef } from 'react'
import type { Conversation, ToolItem } from '@/fold/model'
import { editedFiles, type FileEdits, toolsIn } from './edits'

interface Known {
  tools: readonly ToolItem[]
  edited: readonly FileEdits[]
}

export function useEdited(conversation: Conversation): readonly FileEdits[] {
  const known = useRef<Known>({ tools: [], edited: [] })
  const tools = toolsIn(conversation.items)
  const before = known.current.tools
  const isSame = tools.length === before.length && tools.every((tool, index) => tool === before[index])
  if (!isSame) known.current = { tools, edited: editedFiles(conversation) }
  return known.current.edited
}
