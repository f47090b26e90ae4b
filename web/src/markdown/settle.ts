// Which blocks of a text can no longer change, whatever follows.
//
// A block is settled once two complete lines follow that are not blank. Where a block ends is decided by the line behind
// it, or by two if they may be the head of a table; a line that is still being written decides nothing.
import type { MarkedToken } from 'marked'
import { type Carry, cut, WINDOWS } from './cut'
import { lexBlocks } from './lex'

/** A piece of the source that is a block, or a part of one that was cut. */
export interface Piece {
  start: number
  raw: string
  part: 'whole' | 'first' | 'middle' | 'last'
  /** What it goes on with, if a cut fell before it. */
  carry: Carry | null
}

export interface Settled {
  /** Where what is not settled begins, and what it goes on with. */
  offset: number
  carry: Carry | null
  pieces: readonly Piece[]
}

/** Everything that can be settled behind `from`, and the pieces that must wait. */
export function settle(text: string, from: Settled): { settled: Settled; waiting: readonly Piece[] } {
  const pieces: Piece[] = []
  let { offset, carry } = from
  for (;;) {
    const step = next(text, offset, carry)
    pieces.push(...step.pieces)
    if (step.length === 0) return { settled: { offset, carry, pieces }, waiting: step.waiting }
    offset += step.length
    carry = step.carry
  }
}

interface Step {
  length: number
  carry: Carry | null
  pieces: readonly Piece[]
  waiting: readonly Piece[]
}

function next(text: string, offset: number, carry: Carry | null): Step {
  for (const [attempt, size] of WINDOWS.entries()) {
    const window = text.slice(offset, offset + size)
    const isAll = offset + size >= text.length
    const lexed = tokensOf(window, carry)
    const pieces = piecesOf(lexed, window, offset)
    const firm = firmCount(lexed.tokens, (lexed.carry?.prefix ?? '') + window)
    if (firm > 0) return settledUpTo(firm, lexed, pieces)
    if (isAll) return { length: 0, carry, pieces: [], waiting: pieces.filter((piece) => piece !== null) }
    // The window is full: what follows is too far away to wait for it.
    const first = lexed.tokens[0]!
    if (lexed.tokens.length > 1 || first.type === 'def' || first.type === 'hr') return settledUpTo(1, lexed, pieces)
    if (first.type === 'space') {
      const length = window.lastIndexOf('\n') + 1 || window.length
      return { length, carry: null, pieces: [], waiting: [] }
    }
    const place = cut(first, window, lexed.carry, attempt === WINDOWS.length - 1)
    if (!place) continue
    const part = lexed.carry ? 'middle' : 'first'
    const piece: Piece = { start: offset, raw: window.slice(0, place.length), part, carry: lexed.carry }
    return { length: place.length, carry: place.carry, pieces: [piece], waiting: [] }
  }
  throw new Error('a block of the largest window was not cut')
}

interface Lexed {
  tokens: readonly MarkedToken[]
  /** Null if the window does not go on with what was carried after all. */
  carry: Carry | null
}

function tokensOf(window: string, carry: Carry | null): Lexed {
  if (carry) {
    const { tokens } = lexBlocks(carry.prefix + window)
    const first = tokens[0]
    const isJoined = first?.type === carry.type && first.raw.length > carry.prefix.length
    const isOrdered = first?.type === 'list' && first.ordered
    if (isJoined && isOrdered === (carry.next !== null)) return { tokens, carry }
  }
  return { tokens: lexBlocks(window).tokens, carry: null }
}

/** The pieces of the tokens, one for each; null for blank lines. */
function piecesOf({ tokens, carry }: Lexed, window: string, offset: number): readonly (Piece | null)[] {
  let at = -(carry?.prefix.length ?? 0)
  return tokens.map((token, index) => {
    const start = Math.max(at, 0)
    at += token.raw.length
    if (token.type === 'space') return null
    const isJoined = index === 0 && carry !== null
    return {
      start: offset + start,
      raw: window.slice(start, at),
      part: isJoined ? 'last' : 'whole',
      carry: isJoined ? carry : null,
    }
  })
}

function settledUpTo(count: number, { tokens, carry }: Lexed, pieces: readonly (Piece | null)[]): Step {
  const used = tokens.slice(0, count).reduce((sum, token) => sum + token.raw.length, 0)
  return {
    length: used - (carry?.prefix.length ?? 0),
    carry: null,
    pieces: pieces.slice(0, count).filter((piece) => piece !== null),
    waiting: [],
  }
}

/** How many of the tokens are settled, with the blank lines behind them. */
function firmCount(tokens: readonly MarkedToken[], source: string): number {
  const decided = startOfLastLines(source)
  let count = 0
  let end = 0
  for (const [index, token] of tokens.entries()) {
    end += token.raw.length
    if (token.type === 'space') {
      // Blank lines are settled with what they follow, and at the very beginning as soon as something follows them.
      if (count === index && index < tokens.length - 1) count = index + 1
      continue
    }
    if (end > decided || !isEnded(token, tokens.slice(index + 1))) break
    count = index + 1
  }
  return count
}

/** The title of a definition may run over all lines of a paragraph. */
function isEnded(token: MarkedToken, [next, ...others]: readonly MarkedToken[]): boolean {
  return token.type !== 'def' || next?.type !== 'paragraph' || others.length > 0
}

/** Where the last but one of the complete lines begins that are not blank. */
function startOfLastLines(source: string): number {
  let end = source.lastIndexOf('\n')
  for (let lines = 0; end > 0; ) {
    const start = source.lastIndexOf('\n', end - 1) + 1
    if (source.slice(start, end).trim() !== '') lines += 1
    if (lines === 2) return start
    end = start - 1
  }
  return 0
}
