// Edits as lines: which were added, which were removed, and where.
import { structuredPatch } from 'diff'
import type { Edit } from '@/fold/select'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap'
  /** In the old and the new text, from 1 within what is known of it. */
  before: number | null
  after: number | null
  text: string
}

export interface Diff {
  lines: readonly DiffLine[]
  added: number
  removed: number
}

// Beyond this the comparison itself would be felt; then the old text is taken out and the new one put in.
const LONGEST = 200_000
const MOST_DIFFERENT = 400
const CONTEXT = 3

const known = new WeakMap<Edit, Diff>()

/** Made once for each edit. */
export function diffOf(edit: Edit): Diff {
  let diff = known.get(edit)
  if (!diff) {
    diff = counted(linesOf(edit))
    known.set(edit, diff)
  }
  return diff
}

export function countChanges(edits: readonly Edit[]): { added: number; removed: number } {
  const diffs = edits.map(diffOf)
  return {
    added: diffs.reduce((sum, { added }) => sum + added, 0),
    removed: diffs.reduce((sum, { removed }) => sum + removed, 0),
  }
}

function counted(lines: readonly DiffLine[]): Diff {
  return {
    lines,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  }
}

function linesOf({ before, after }: Edit): readonly DiffLine[] {
  const [old, now] = [before ?? '', after ?? '']
  if (old === '' || now === '' || old.length + now.length > LONGEST) {
    return [...all(old, 'removed'), ...all(now, 'added')]
  }
  const limits = { context: CONTEXT, maxEditLength: MOST_DIFFERENT }
  const patch = structuredPatch('', '', old, now, undefined, undefined, limits)
  if (patch === undefined) return [...all(old, 'removed'), ...all(now, 'added')]
  return patch.hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ kind: 'gap', before: null, after: null, text: '' } as const] : []),
    ...hunkLines(hunk),
  ])
}

function hunkLines(hunk: { oldStart: number; newStart: number; lines: string[] }): DiffLine[] {
  let [before, after] = [hunk.oldStart, hunk.newStart]
  return hunk.lines
    .filter((line) => !line.startsWith('\\')) // "No newline at end of file"
    .map((line): DiffLine => {
      const text = line.slice(1)
      if (line[0] === '-') return { kind: 'removed', before: before++, after: null, text }
      if (line[0] === '+') return { kind: 'added', before: null, after: after++, text }
      return { kind: 'same', before: before++, after: after++, text }
    })
}

function all(text: string, kind: 'added' | 'removed'): DiffLine[] {
  if (text === '') return []
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => ({
    kind,
    before: kind === 'removed' ? index + 1 : null,
    after: kind === 'added' ? index + 1 : null,
    text: line,
  }))
}
