// What came of a tool call, as text, and of a command its line and its exit code.
import { type Call, firstText, toolIcon } from './call'
import { asNumber, asObject, asObjects, asText, type JsonObject } from './values'

/** What agents call the whole output of a command; beside it they may tell its parts. */
const OUTPUTS = ['aggregated_output', 'formatted_output', 'output']
const PLAIN_ARGUMENT = /^[\w@%+=:,./-]+$/

/** The command line of a call that runs one; null for other calls, and if it is not told. */
export function commandOf(call: Call): string | null {
  if (toolIcon(call) !== 'run') return null
  const input = asObject(call.input)
  if (Array.isArray(input.command)) return commandLine(input.command.map(String))
  return firstText(input, ['command', 'cmd', 'shell_command', 'script']) ?? titled(call)
}

/** A result as text: that of its blocks, the output of its command, else as JSON. Empty if there is none. */
export function outputText(result: unknown): string {
  return textOf(result) ?? (result === null || result === undefined ? '' : JSON.stringify(result, null, 2))
}

/** What a call has given so far. Where its result is no text, what the agent shows of it may be one. */
export function outputOf(call: Call): string {
  return textOf(call.result) ?? textOf(call.content) ?? outputText(call.result)
}

/** The exit code of a command; null if it is not told. */
export function exitCodeOf(call: Call): number | null {
  const result = asObject(call.result)
  const told = asNumber(result.exit_code) ?? asNumber(result.exitCode)
  if (told !== null || typeof call.result !== 'string') return told
  const first = /^Exit code (\d+)\b/.exec(call.result)
  return first === null ? null : Number(first[1])
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1')
  if (Array.isArray(value)) {
    const texts = asObjects(value).flatMap((block) => asText(block.text) ?? asText(asObject(block.content).text) ?? [])
    return texts.length === 0 ? null : texts.join('\n')
  }
  const object = asObject(value)
  return firstText(object, OUTPUTS) ?? streamsOf(object) ?? silent(object) ?? blocksOf(object) ?? onlyText(object)
}

function streamsOf(object: JsonObject): string | null {
  const streams = [asText(object.stdout), asText(object.stderr)].filter((text) => text !== null)
  return streams.length === 0 ? null : streams.join('\n')
}

/** A command that has said nothing. */
function silent(object: JsonObject): string | null {
  return ['stdout', 'output', 'aggregated_output'].some((name) => object[name] === '') ? '' : null
}

/** The blocks of a result that has them beside something else. */
function blocksOf(object: JsonObject): string | null {
  return Array.isArray(object.content) ? textOf(object.content) : null
}

/** A result that is nothing but a text with a name: an error, a message. */
function onlyText(object: JsonObject): string | null {
  const values = Object.values(object)
  return values.length === 1 ? asText(values[0]) : null
}

/** `bash -lc` is how it was run, and not what. */
function commandLine(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words
  if (script !== undefined && words.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(flag))
    return script
  return words.map((word) => (PLAIN_ARGUMENT.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

/** Some agents tell the command in the title only, perhaps in backquotes. */
function titled(call: Call): string | null {
  const title = asText(call.title)
  return title === null ? null : (/`([^`]+)`/.exec(title)?.[1] ?? title)
}
