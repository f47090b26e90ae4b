// Code → pieces with the colour of each. Until the languages are loaded, code is shown without.
import { useMemo, useSyncExternalStore } from 'react'

export type Color = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'type' | 'added' | 'removed'

export interface Colored {
  color: Color | null
  text: string
}

type Lowlight = typeof import('./languages').lowlight

let loaded: Lowlight | null = null
let isLoading = false
const waiting = new Set<() => void>()

/** The code in colours, or null if there are none for it (yet). */
export function useColors(code: string, language: string | null): readonly Colored[] | null {
  const lowlight = useSyncExternalStore(language === null ? never : whenLoaded, current, nothing)
  return useMemo(
    () => (lowlight && language !== null ? colored(lowlight, code, language) : null),
    [lowlight, code, language],
  )
}

function whenLoaded(tell: () => void): () => void {
  waiting.add(tell)
  if (!isLoading) void load()
  return () => waiting.delete(tell)
}

async function load(): Promise<void> {
  isLoading = true
  try {
    loaded = (await import('./languages')).lowlight
    for (const tell of waiting) tell()
  } catch {
    // The network is away: code is read without colours, and the next block tries again.
    isLoading = false
  }
}
const never = () => () => {}
const current = () => loaded
const nothing = () => null

// To colour more takes longer than a frame, and nobody reads so long a line.
const LONGEST = 20_000

/** As much of lowlight's tree as matters here. */
interface Node {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: readonly Node[]
}

export function colored(lowlight: Lowlight, code: string, language: string): readonly Colored[] | null {
  if (code.length > LONGEST || !lowlight.registered(language)) return null
  const pieces: Colored[] = []
  const walk = (node: Node, color: Color | null) => {
    if (node.type === 'text' && node.value) {
      const last = pieces.at(-1)
      if (last?.color === color) last.text += node.value
      else pieces.push({ color, text: node.value })
    }
    const own = colorOf(node.properties?.className) ?? color
    for (const child of node.children ?? []) walk(child, own)
  }
  walk(lowlight.highlight(language, code) as Node, null)
  return pieces
}

const COLORS: Readonly<Record<string, Color>> = {
  keyword: 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  doctag: 'keyword',
  title: 'title',
  section: 'title',
  name: 'keyword',
  attr: 'title',
  attribute: 'title',
  property: 'title',
  type: 'type',
  built_in: 'type',
  class: 'type',
  variable: 'type',
  'selector-class': 'type',
  'selector-id': 'type',
  'selector-tag': 'keyword',
  'template-variable': 'type',
  addition: 'added',
  deletion: 'removed',
}

function colorOf(className: unknown): Color | null {
  if (!Array.isArray(className)) return null
  const name = String(className[0] ?? '').replace(/^hljs-/, '')
  return Object.hasOwn(COLORS, name) ? (COLORS[name] ?? null) : null
}
