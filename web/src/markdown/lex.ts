// Markdown source → marked's block tokens, with the few rules in which we differ from marked.
import { Lexer, type Links, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'

class OurTokenizer extends Tokenizer {
  override def(src: string): Tokens.Def | undefined {
    // A footnote's text would be taken for an address otherwise. Footnotes are shown as they were written.
    if (!/^ {0,3}\[(?!\^)/.test(src)) return undefined
    // A definition is the beginning of a paragraph. Marked lets label and title run on over lists, comments and blank
    // lines; then a line far below could still change everything above it.
    return super.def(this.#paragraph(src))
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const heading = super.lheading(src)
    if (!heading) return undefined
    // Only a paragraph can be underlined. Marked would also take in what ends a paragraph, such as a comment.
    const lines = heading.raw.slice(0, heading.raw.lastIndexOf('\n'))
    return this.rules.block.paragraph.exec(lines)?.[0] === lines ? heading : undefined
  }

  /** The lines of the paragraph that begins here, without one that underlines them. */
  #paragraph(src: string): string {
    const lines = this.rules.block.paragraph.exec(src)?.[0] ?? ''
    const underline = lines.search(/\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/)
    return underline < 0 ? lines : lines.slice(0, underline)
  }
}

const options = { gfm: true, breaks: false, pedantic: false, silent: true } as const

/** The blocks of a source, without what is inside their lines; `finish` fills that in, once all links are known. */
export interface BlockTokens {
  tokens: readonly MarkedToken[]
  /** Link reference definitions in it, at any depth. */
  definitions: Links
  finish(links: Links): void
}

export function lexBlocks(source: string): BlockTokens {
  const lexer = new Lexer({ ...options, tokenizer: new OurTokenizer() })
  const tokens: Token[] = lexer.blockTokens(source, [])
  return {
    // Nothing extends the lexer, so that there are no tokens beside marked's own.
    tokens: tokens as MarkedToken[],
    definitions: lexer.tokens.links,
    finish(links) {
      lexer.tokens.links = links
      for (const { src, tokens: inner } of lexer.inlineQueue.splice(0)) {
        lexer.state.inRawBlock = false
        lexer.inlineTokens(src, inner)
      }
    },
  }
}

/** The labels that a source might refer to: as marked writes them in its table of links. */
export function labelsIn(source: string): readonly string[] {
  if (!source.includes('[')) return noLabels
  const labels = new Set<string>()
  for (const [, label] of source.matchAll(/\[((?:\\[\s\S]|[^[\]\\])+)\]/g)) {
    labels.add(label!.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase())
  }
  return [...labels]
}
const noLabels: readonly string[] = []
