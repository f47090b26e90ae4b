// Characters of which nothing is seen, spelt out: what is allowed has to be what is read. Pure.

// Control and format characters, breaks of lines other than the usual ones, and letters without a shape: they are not
// seen, or turn what follows around, and with them a command reads as another one.
const HIDDEN = /\r(?!\n)|(?![\r\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu

export interface Part {
  text: string
  /** Stands for a character that would not be seen. */
  isHidden: boolean
}

/** The text in parts, each invisible character as one of its own. */
export function revealed(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { index, 0: character } of text.matchAll(HIDDEN)) {
    if (index > from) parts.push({ text: text.slice(from, index), isHidden: false })
    parts.push({ text: `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`, isHidden: true })
    from = index + character.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHidden: false })
  return parts
}

/** The same as one text, for places that show no more than that. */
export function spelt(text: string): string {
  return revealed(text)
    .map((part) => (part.isHidden ? `⟨${part.text}⟩` : part.text))
    .join('')
}
