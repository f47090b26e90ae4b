// Where a block that has grown too large for one row is cut, and what the rest must know of it.
//
// A cut depends on nothing but the window of text that begins with the block. So it falls on the same place whether the
// text came at once or in a thousand pieces.
import type { MarkedToken } from 'marked'

/** How much of a text is looked at to find the end of a block; the second size is for blocks that are hard to cut. */
export const WINDOWS = [6_144, 65_536] as const

/** What the rest of a block that was cut goes on with. */
export interface Carry {
  type: MarkedToken['type']
  /** Put before the rest so that it is lexed as what it is: a fence's first line, the head of a table. */
  prefix: string
  /** The number of the next item, if it is an ordered list. */
  next: number | null
}

export interface Cut {
  length: number
  carry: Carry
}

/** Cuts the block `token`, which fills `window` (without the prefix of `carry`). Null: try again with a larger window. */
export function cut(token: MarkedToken, window: string, carry: Carry | null, isLastTry: boolean): Cut | null {
  const rest = (length: number, prefix = '', next: number | null = null): Cut => ({
    length,
    carry: { type: token.type, prefix, next },
  })
  switch (token.type) {
    case 'code':
      if (token.codeBlockStyle === 'indented') return rest(endOfLine(window))
      return rest(endOfLine(window), carry?.prefix ?? fenceOf(window))
    case 'html':
      return rest(endOfLine(window), carry?.prefix ?? htmlPrefix(window))
    case 'table': {
      const lastLine = window.lastIndexOf('\n', window.lastIndexOf('\n') - 1) + 1
      const head = carry?.prefix ?? /^.*\n.*\n/.exec(window)?.[0] ?? ''
      if (head && lastLine > (carry ? 0 : head.length)) return rest(lastLine, head)
      return isLastTry ? rest(endOfLine(window)) : null
    }
    case 'list': {
      // An item whose first line is not complete may turn out to be no item at all.
      const complete = window.lastIndexOf('\n')
      let at = 0
      let length = 0
      let count = 0
      for (const [index, item] of token.items.entries()) {
        if (at > 0 && window.indexOf('\n', at) >= 0 && at < complete) {
          length = at
          count = index
        }
        at += item.raw.length
      }
      const start = carry?.next ?? (token.start === '' ? null : token.start)
      if (count > 0) return rest(length, '', start === null ? null : start + count)
      return isLastTry ? rest(endOfLine(window), '', start === null ? null : start + 1) : null
    }
    case 'blockquote':
      return isLastTry ? rest(endOfLine(window)) : null
    default:
      return rest(endOfLine(window))
  }
}

/** Behind the last line that is complete; in a text of few lines behind a word; never inside of a character. */
function endOfLine(window: string): number {
  const line = window.lastIndexOf('\n') + 1
  if (line > window.length / 4) return line
  const word = window.lastIndexOf(' ') + 1
  if (word > window.length / 2) return word
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length
}

function fenceOf(source: string): string {
  const line = /^[^\n]*\n/.exec(source)?.[0]
  return line ?? `${/^ {0,3}(?:`{3,}|~{3,})/.exec(source)?.[0] ?? '```'}\n`
}

/** Begins an HTML block that ends where the one in `source` does. */
function htmlPrefix(source: string): string {
  const opening = /^ {0,3}(<!--|<\?|<!\[CDATA\[|<![a-z]|<(?:script|pre|style|textarea)(?=[\s>]))/i.exec(source)?.[1]
  if (!opening) return '<div>\n'
  return /^<[a-z]/i.test(opening) ? `${opening}>\n` : `${opening}\n`
}
