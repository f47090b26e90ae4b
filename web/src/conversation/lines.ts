// Lines of a text, for what has room for a few only.

/** The first line that says something, without the marks of markdown around it. */
export function firstLine(text: string): string {
  const line = /[^\s][^\n]*/.exec(text)?.[0] ?? ''
  return line.replace(/^(?:#{1,6}|[-*>])\s+|\*\*|`/g, '').trim()
}

/** The last line that says something. */
export function lastLine(text: string): string {
  const end = text.trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1).trim()
}

/** Of many lines the first and the last ones; `leftOut` is how many are between. */
export interface Shortened<Line> {
  head: readonly Line[]
  tail: readonly Line[]
  leftOut: number
}

export function shortened<Line>(lines: readonly Line[], head: number, tail: number): Shortened<Line> {
  // To leave out a handful saves nothing.
  if (lines.length <= head + tail + 4) return { head: lines, tail: [], leftOut: 0 }
  return { head: lines.slice(0, head), tail: lines.slice(-tail), leftOut: lines.length - head - tail }
}
