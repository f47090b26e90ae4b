// A tool call in one line: what it is about, without its name.
import { type Call, firstText, pathsOf, toolIcon } from './call'
import { editsOf } from './edits'
import { commandOf } from './output'
import { asObject, asObjects, asText, type JsonObject } from './values'

const MOST_CHARACTERS = 200
const TELLING = ['description', 'subject', 'query', 'url', 'pattern', 'command', 'prompt', 'skill', 'name', 'question']

/** Empty if nothing is known of it. */
export function summaryOf(call: Call): string {
  const line = (about(call) ?? asText(call.title) ?? '').replace(/\s+/g, ' ').trim()
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS - 1)}…`
}

function about(call: Call): string | null {
  const input = asObject(call.input)
  switch (toolIcon(call)) {
    case 'run':
      return commandOf(call) ?? firstText(input, TELLING)
    case 'read':
    case 'edit':
      return files(call)
    case 'search': {
      const pattern = firstText(input, ['pattern', 'query', 'regex', 'glob'])
      const place = pathsOf(call)[0]
      return pattern !== null && place !== undefined ? `${pattern} · ${place}` : (pattern ?? place ?? null)
    }
    case 'web':
      return firstText(input, ['url', 'query', 'prompt'])
    case 'todo':
      return firstText(input, ['subject', 'description']) ?? task(input) ?? current(input)
    default:
      return firstText(input, TELLING) ?? files(call) ?? asText(asObjects(input.questions)[0]?.question)
  }
}

function files(call: Call): string | null {
  const named = pathsOf(call)
  const paths = named.length > 0 ? named : [...new Set(editsOf(call).map((edit) => edit.path))]
  if (paths.length === 0) return null
  return paths.length === 1 ? paths[0]! : `${paths[0]} +${paths.length - 1}`
}

/** One task of a list, by its number. */
function task(input: JsonObject): string | null {
  const number = firstText(input, ['taskId', 'task_id'])
  const status = asText(input.status)
  return number === null ? null : `#${number}${status === null ? '' : ` ${status}`}`
}

/** Of a whole list what is being done. */
function current(input: JsonObject): string | null {
  const todos = [...asObjects(input.todos), ...asObjects(input.plan)]
  const found = todos.find((todo) => todo.status === 'in_progress') ?? todos.find((todo) => todo.status === 'pending')
  return firstText(asObject(found), ['content', 'step'])
}
