// Whole sentences out of a text that is still being written. Pure.

// After a full stop, question or exclamation mark with space behind it, or at the end of a line.
const ENDS = /[.!?…:](?=\s)|\n/g

/** How much of the text, from `from` on, is whole sentences: the index behind the last one. */
export function endOfSentences(text: string, from: number): number {
  let end = from
  for (const match of text.slice(from).matchAll(ENDS)) end = from + match.index + match[0].length
  return end
}

/** Markdown without its marks, as one would read it aloud. Code is named, not read. */
export function spoken(markdown: string, code: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ` ${code} `)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_~`|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
