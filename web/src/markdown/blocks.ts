// A text that grows → markdown blocks, of which the finished ones keep their identity.
//
// Rule 1: the blocks depend on the text alone, not on the pieces in which it came.
// Rule 2: only what a longer text can still change is lexed again: mostly the last block, at most a window of text.
// Rule 3: a block over the window is cut into parts that look joined, so that no row grows without end.
import type { Links, MarkedToken, Tokens } from 'marked'
import type { Carry } from './cut'
import { labelsIn, lexBlocks } from './lex'
import { type Piece, type Settled, settle } from './settle'

export type BlockToken = Exclude<MarkedToken, Tokens.Space | Tokens.Def>

export interface Block {
  /** Stays the same while the text grows: where the block begins. */
  key: string
  start: number
  raw: string
  token: BlockToken
  /** Which part of a block that was cut; `whole` if it was not. */
  part: Piece['part']
  /** What was put before it to lex it, if a cut fell before it. */
  carry: Carry | null
  /** Link reference definitions that would change it. */
  labels: readonly string[]
}

export interface Blocks {
  list: readonly Block[]
  text: string
  isOpen: boolean
  /** Where the next call goes on; of no use to anybody else. */
  resume: Resume
}

interface Resume {
  offset: number
  carry: Carry | null
  /** How many entries of `list` are settled. */
  settled: number
  /** Definitions in what is settled. */
  definitions: Links
  /** Those that the blocks in `list` were made with. */
  links: Links
}

export function blocks(previous: Blocks | null, text: string, isOpen: boolean): Blocks {
  const old = previous ?? nothing
  // Compared as a slice: many times as fast as `startsWith`.
  const isLonger = text.slice(0, old.text.length) === old.text
  // Only what is new is looked through for line ends of the old kind: the rest has none.
  const isPlain = text.indexOf('\r', isLonger ? old.text.length : 0) < 0
  const source = isPlain ? text : text.replace(/\r\n?/g, '\n')
  if (previous && previous.isOpen === isOpen && previous.text === source) return previous
  const from = (isLonger && isPlain) || source.startsWith(old.text) ? old : nothing

  const start: Settled = { offset: from.resume.offset, carry: from.resume.carry, pieces: [] }
  const { settled, waiting } = settle(source, start)
  const known = knownBlocks(old, from.resume.settled)
  const firm = settled.pieces.map((piece) => draft(piece, known))
  const loose = waiting.map((piece) => draft(piece, known))

  const definitions = withDefinitions(from.resume.definitions, firm)
  // A definition that is still being written would change its links with each letter.
  const isCut = isOpen && !source.endsWith('\n')
  const table = withDefinitions(definitions, isCut ? loose.slice(0, -1) : loose)
  const changed = changedLabels(old.resume.links, table)
  const links = changed.size > 0 ? table : old.resume.links
  const isCurrent = (block: Block) => changed.size === 0 || !block.labels.some((label) => changed.has(label))

  const list = from.list.slice(0, from.resume.settled).map((block) => (isCurrent(block) ? block : again(block, links)))
  for (const one of firm) list.push(...one.finish(links, isCurrent))
  const count = list.length
  for (const one of loose) list.push(...one.finish(links, isCurrent))
  return {
    list,
    text: source,
    isOpen,
    resume: { offset: settled.offset, carry: settled.carry, settled: count, definitions, links },
  }
}

const noLinks: Links = Object.freeze(Object.create(null))
const nothing: Blocks = {
  list: [],
  text: '',
  isOpen: true,
  resume: { offset: 0, carry: null, settled: 0, definitions: noLinks, links: noLinks },
}

interface Draft {
  definitions: Links
  /** The blocks of it, the ones from before if they are still right. */
  finish(links: Links, isCurrent: (block: Block) => boolean): readonly Block[]
}

function draft(piece: Piece, known: ReadonlyMap<number, Block>): Draft {
  const same = known.get(piece.start)
  const isSame = same?.raw === piece.raw && same.part === piece.part && same.carry?.prefix === piece.carry?.prefix
  const lexed = lexBlocks((piece.carry?.prefix ?? '') + piece.raw)
  return {
    definitions: lexed.definitions,
    finish(links, isCurrent) {
      if (isSame && isCurrent(same)) return [same]
      lexed.finish(links)
      return blocksOf(piece, lexed.tokens)
    },
  }
}

function blocksOf(piece: Piece, tokens: readonly MarkedToken[]): readonly Block[] {
  const list: Block[] = []
  let at = -(piece.carry?.prefix.length ?? 0)
  for (const token of tokens) {
    const begin = Math.max(at, 0)
    at += token.raw.length
    if (token.type === 'space' || token.type === 'def') continue
    if (token.type === 'list' && piece.carry?.next != null && list.length === 0) token.start = piece.carry.next
    const start = piece.start + begin
    const isWhole = tokens.length === 1
    const raw = isWhole ? piece.raw : piece.raw.slice(begin, at)
    list.push({ key: String(start), start, raw, token, part: piece.part, carry: piece.carry, labels: labelsIn(raw) })
  }
  return list
}

function again(block: Block, links: Links): Block {
  const lexed = lexBlocks((block.carry?.prefix ?? '') + block.raw)
  lexed.finish(links)
  return blocksOf(block, lexed.tokens)[0] ?? block
}

/** Blocks from before that may be met again, by their place. */
function knownBlocks(old: Blocks, firstIndex: number): ReadonlyMap<number, Block> {
  return new Map(old.list.slice(firstIndex).map((block) => [block.start, block]))
}

/** With the definitions of the drafts; of several with one label the first holds. */
function withDefinitions(links: Links, drafts: readonly Draft[]): Links {
  if (!drafts.some((one) => Object.keys(one.definitions).length > 0)) return links
  const all: Links = Object.assign(Object.create(null), links)
  for (const { definitions } of drafts) {
    for (const [label, link] of Object.entries(definitions)) all[label] ??= link
  }
  return all
}

function changedLabels(before: Links, after: Links): ReadonlySet<string> {
  const changed = new Set<string>()
  if (before === after) return changed
  for (const label of [...Object.keys(before), ...Object.keys(after)]) {
    const [one, other] = [before[label], after[label]]
    if (one?.href !== other?.href || one?.title !== other?.title) changed.add(label)
  }
  return changed
}
