// Texts of others inside a Markdown document of ours: whatever they contain, they end where we end them.
import type { MarkedToken, Token, Tokens } from 'marked'
import { lexBlocks } from '@/markdown/lex'

/** A block of code whose fence is longer than any in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

/** Every line in the quote, so that nothing in it can leave it. */
export function quoted(text: string): string {
  return lines(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Words in a line of ours: nothing in them is taken for Markdown or HTML. */
export function inLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!]/g, (character) => (/[<>&]/.test(character) ? entity(character) : `\\${character}`))
}

/** Code in a line of ours. */
export function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isTouching = line.startsWith('`') || line.endsWith('`')
  return isTouching ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** Words in an HTML element of ours. */
export function inHtml(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/[<>&]/g, entity)
}

/**
 * What an agent wrote is Markdown and stays it, but is contained: its code blocks are closed, its HTML is code, and its
 * headings stand below ours.
 */
export function contained(markdown: string): string {
  const { tokens, finish } = lexBlocks(lines(markdown).join('\n'))
  finish({})
  return tokens.flatMap((token) => blockOf(token)).join('\n\n')
}

function blockOf(token: MarkedToken): string[] {
  switch (token.type) {
    case 'space':
      return []
    case 'code':
      return [fenced(token.text, languageOf(token.lang))]
    case 'html':
      return [fenced(token.raw.trim(), 'html')]
    case 'heading':
      return [`${'#'.repeat(Math.min(6, token.depth + 3))} ${withoutTags(token, token.text.replace(/\n/g, ' '))}`]
    default:
      return [withoutTags(token, token.raw.replace(/\n+$/, ''))]
  }
}

const lines = (text: string) => text.split(/\r\n|\r|\n/)

function languageOf(info: string | undefined): string {
  return /^[\w+#.-]+/.exec(info ?? '')?.[0] ?? ''
}

const TAG = /<(?=[a-z/!?])/gi

/** A tag that is not closed would take in all that follows. */
function withoutTags(token: MarkedToken, markdown: string): string {
  return hasHtml(token) ? markdown.replace(TAG, '&lt;') : markdown
}

function hasHtml(token: Token): boolean {
  if (token.type === 'html') return true
  const { tokens = [], items = [], header = [], rows = [] } = token as Partial<Tokens.Generic & Tokens.Table>
  const cells = [...header, ...rows.flat()].flatMap((cell) => cell.tokens)
  return [...tokens, ...items, ...cells].some(hasHtml)
}

function entity(character: string): string {
  return character === '<' ? '&lt;' : character === '>' ? '&gt;' : '&amp;'
}
