// Tool calls of all agents, seen alike: of what kind a call is, and what its input names.
//
// Agents name their tools and inputs as they like. The names here are those of Claude Code, of the ACP agents that were
// recorded, and of those whose tools are documented; what is not found is left out.
import type { ToolItem } from './model'
import { asObject, asObjects, asText, type JsonObject } from './values'

/** A call, or one that is asked for: of that neither result nor content is known. */
export type Call = Pick<ToolItem, 'name' | 'toolKind' | 'input'> &
  Partial<Pick<ToolItem, 'title' | 'content' | 'result' | 'children'>>

export type ToolIcon = 'read' | 'edit' | 'search' | 'run' | 'web' | 'agent' | 'todo' | 'other'

const NAMES: { readonly [Icon in ToolIcon]?: readonly string[] } = {
  read: ['read', 'notebookread', 'ls', 'read_file', 'read_many_files', 'view', 'tree', 'list_directory', 'list'],
  edit: [
    ...['edit', 'write', 'multiedit', 'notebookedit', 'write_file', 'create_file', 'edit_file', 'multi_edit'],
    ...['str_replace', 'replace', 'text_editor', 'apply_patch', 'patch', 'insert', 'delete', 'move'],
  ],
  search: ['grep', 'glob', 'search', 'toolsearch', 'search_files', 'file_search', 'search_file_content', 'codesearch'],
  run: [
    ...['bash', 'bashoutput', 'killshell', 'killbash', 'monitor', 'shell', 'exec', 'exec_command', 'execute'],
    ...['execute_command', 'run_command', 'run_shell_command', 'run_terminal_cmd', 'local_shell'],
  ],
  web: ['webfetch', 'websearch', 'web_fetch', 'web_search', 'fetch', 'fetch_url', 'google_web_search'],
  agent: ['task', 'agent', 'sendmessage', 'delegate', 'subagent'],
  todo: [
    ...['todowrite', 'todoread', 'taskcreate', 'taskget', 'tasklist', 'taskupdate', 'update_plan'],
    ...['todo_write', 'todo_read', 'todo', 'write_todos'],
  ],
}
const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([icon, names]) => names.map((name) => [name, icon as ToolIcon] as const)),
)
/** The kinds of ACP; `think` and `other` say nothing. */
const BY_KIND = new Map<string, ToolIcon>([
  ['read', 'read'],
  ['edit', 'edit'],
  ['delete', 'edit'],
  ['move', 'edit'],
  ['search', 'search'],
  ['execute', 'run'],
  ['fetch', 'web'],
])

const PATHS = [
  ...['file_path', 'filePath', 'notebook_path', 'path', 'absolute_path', 'abs_path', 'target_file', 'file', 'filename'],
  ...['source', 'destination', 'source_path', 'destination_path', 'old_path', 'new_path'],
]

/** What a call is about, for a picture of it. */
export function toolIcon(call: Call): ToolIcon {
  if (call.children !== undefined && call.children.length > 0) return 'agent'
  const name = call.name.toLowerCase()
  return BY_NAME.get(name) ?? BY_KIND.get(call.toolKind ?? '') ?? 'other'
}

/** The files that a call names, each once. */
export function pathsOf(call: Call): string[] {
  const input = asObject(call.input)
  const named = PATHS.map((name) => asText(input[name]))
  const listed = [...asObjects(input.locations), ...asObjects(call.content)].map((part) => asText(part.path))
  const changed = Object.keys(asObject(input.changes))
  return [...new Set([...named, ...listed, ...changed])].filter((path) => path !== null)
}

/** The first of these fields that has a text. */
export function firstText(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const text = asText(object[name])
    if (text !== null) return text
  }
  return null
}
