// The picture of a tool call.
import { Bot, FilePen, FileText, Globe, ListTodo, Search, SquareTerminal, Wrench } from 'lucide-react'
import { type Call, toolIcon } from '@/fold/select'

const ICONS = {
  read: FileText,
  edit: FilePen,
  search: Search,
  run: SquareTerminal,
  web: Globe,
  agent: Bot,
  todo: ListTodo,
  other: Wrench,
} as const

export function ToolIcon({ call }: { call: Call }) {
  const Icon = ICONS[toolIcon(call)]
  return <Icon aria-hidden="true" />
}
