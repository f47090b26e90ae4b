// Marks the words that somebody looks for, without touching the rows: as highlights of the browser.
import { type RefObject, useEffect } from 'react'

const NAME = 'holdfast-found'
// More than this on a screen marks nothing any more.
const MOST = 500

/** `shown` changes with the rows on the page. */
export function useFound(scroller: RefObject<HTMLElement | null>, query: string, shown: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other words
  useEffect(() => {
    const words = query.trim().toLowerCase()
    const element = scroller.current
    if (!('highlights' in CSS) || !element || words === '') return
    CSS.highlights.set(NAME, new Highlight(...rangesOf(element, words)))
    return () => {
      CSS.highlights.delete(NAME)
    }
  }, [scroller, query, shown])
}

function rangesOf(element: HTMLElement, words: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    const text = (node.textContent ?? '').toLowerCase()
    for (let at = text.indexOf(words); at >= 0 && ranges.length < MOST; at = text.indexOf(words, at + words.length)) {
      // Some letters become two when they are made small; then the places do not agree.
      if (at + words.length > (node.textContent?.length ?? 0)) break
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      ranges.push(range)
    }
  }
  return ranges
}
