// What exit codes and signals mean, as the names of texts.

const SIGNALS: ReadonlySet<string> = new Set([
  'SIGKILL',
  'SIGSEGV',
  'SIGTERM',
  'SIGABRT',
  'SIGINT',
  'SIGHUP',
  'SIGPIPE',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGQUIT',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGTRAP',
  'SIGSYS',
])

const CODES: ReadonlySet<number> = new Set([0, 1, 2, 126, 127])

/** Shells tell a death by signal as 128 and its number. */
const AS_CODES: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  134: 'SIGABRT',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
}

/** The key below `exit` in the texts; null if nothing is known of it. */
export function exitMeaning(code: number | undefined, signal: string | undefined): string | null {
  if (signal) return SIGNALS.has(signal) ? `signal.${signal}` : null
  if (code === undefined) return null
  const told = AS_CODES[code]
  if (told) return `signal.${told}`
  // The numbers between are the agent's own.
  return CODES.has(code) ? `code.${code}` : code > 0 && code < 126 ? 'code.other' : null
}
