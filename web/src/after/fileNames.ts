// Names for downloaded files that every system takes.
const LONGEST_SLUG = 40

/** "Fix: the *flaky* test" → "fix-the-flaky-test"; empty if nothing is left. */
export function slugOf(title: string): string {
  return title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '')
}

export function fileNameOf(id: string, title: string, extension: 'md' | 'json'): string {
  const shortId = slugOf(id.slice(0, 8)) || 'session'
  const slug = slugOf(title)
  return `holdfast-${shortId}${slug && `-${slug}`}.${extension}`
}
