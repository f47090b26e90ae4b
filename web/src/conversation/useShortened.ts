// The first and the last of many lines, until somebody wants all of them.
import { useState } from 'react'
import { type Shortened, shortened } from './lines'

interface UsedShortened<Line> extends Shortened<Line> {
  isWhole: boolean
  showAll(): void
}

export function useShortened<Line>(lines: readonly Line[], head: number, tail: number): UsedShortened<Line> {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? { head: lines, tail: [], leftOut: 0 } : shortened(lines, head, tail)
  return { ...shown, isWhole, showAll: () => setWhole(true) }
}
