// Which entries fit what was typed, the best first. Pure.

export interface Entry {
  id: string
  label: string
  /** More words that find it: project, agent, status. */
  more: string
  href: string
}

/** All words must occur; a word at the beginning of the label counts most. Without words: as they come. */
export function matching<E extends Entry>(entries: readonly E[], typed: string): E[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...entries]
  return entries
    .map((entry, place) => ({ entry, place, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .map(({ entry }) => entry)
}

function scoreOf(entry: Entry, words: readonly string[]): number {
  const label = plain(entry.label)
  const all = `${label} ${plain(entry.more)}`
  let score = 0
  for (const word of words) {
    if (!all.includes(word)) return 0
    score += label.startsWith(word) ? 3 : label.includes(word) ? 2 : 1
  }
  return score
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
