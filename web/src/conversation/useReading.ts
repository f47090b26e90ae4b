// Which rows are on the page, and where the reader is.
//
// The rows stand in the normal flow, between two empty stretches for those that are not on the page. So what grows
// pushes what follows in the same frame, and the place is put right before anything is painted.
import { type Range, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { estimateOf } from './estimate'
import type { Row } from './row'
import { ScrollPlace } from './scrollPlace'
import { rowAt, type Spot, spotOf } from './spot'

export type ReadingPlace = Spot | 'end'

interface ReadingOptions {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly Row[]
  isPartial: boolean
  head: number
  initial: ReadingPlace
  query: string
  reveal(sequence: number, isDeep: boolean): string | null
  onPlace: ((place: ReadingPlace) => void) | undefined
}

export interface Reading {
  place: ScrollPlace
  items: readonly VirtualItem[]
  /** Of the stretches before and behind the rows that are on the page. */
  before: number
  behind: number
  measure(element: Element | null): void
  isFollowing: boolean
  /** The last event when the following ended. */
  seen: number
  /** The row that somebody went to. */
  target: string | null
  goTo(sequence: number): void
  goToEnd(): void
}

type List = Virtualizer<HTMLDivElement, Element>

/** Rows are there before they come into view: by height, since one may be a line and the next a page. */
const MARGIN = 600
/** The room above the first row and below the last. */
const EDGE = 32
const TOLD_MS = 250

export function useReading({
  scroller,
  rows,
  isPartial,
  head,
  initial,
  query,
  reveal,
  onPlace,
}: ReadingOptions): Reading {
  const [place] = useState(() => new ScrollPlace())
  const [following, setFollowing] = useState({ is: true, seen: head })
  const [target, setTarget] = useState<string | null>(null)
  const report = useRef<() => void>(() => {})
  const latest = useRef({ rows, head, query, reveal, onPlace })
  latest.current = { rows, head, query, reveal, onPlace }

  // Scrolling is ours: the library only counts.
  const observeOffset = useCallback(
    (list: List, tell: (offset: number, isScrolling: boolean) => void) => {
      const element = list.scrollElement
      if (!element) return
      report.current = () => tell(element.scrollTop, false)
      const scrolled = () => {
        place.scrolled()
        report.current()
        place.settle()
      }
      element.addEventListener('scroll', scrolled, { passive: true })
      return () => element.removeEventListener('scroll', scrolled)
    },
    [place],
  )

  const listRef = useRef<List | null>(null)
  const withMargin = useCallback((range: Range) => rangeWithin(range, listRef.current), [])
  const list: List = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateOf(rows[index]),
    paddingStart: EDGE,
    paddingEnd: EDGE,
    measureElement: heightOf,
    rangeExtractor: withMargin,
    useFlushSync: false,
    observeElementOffset: observeOffset,
    scrollToFn: leaveAlone,
  })
  listRef.current = list
  list.shouldAdjustScrollPositionOnItemSizeChange = never

  // After each render: something may have moved.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    place.list = {
      element,
      rowElement: (key) => list.elementsCache.get(key),
      rowStart: (key) => {
        const index = rows.findIndex((row) => row.key === key)
        return index < 0 ? null : (list.measurementsCache[index]?.start ?? null)
      },
      keys: () => list.getVirtualItems().map(({ key }) => String(key)),
      replacement: (key) => nearest(rows, sequences.current.get(key)),
      moved: () => report.current(),
    }
    place.settle()
    const anchor = place.anchorKey
    const row = anchor === null ? undefined : rows.find(({ key }) => key === anchor)
    if (row) sequences.current.set(row.key, row.sequence)
  })
  const sequences = useRef(new Map<string, number>())

  useLayoutEffect(() => {
    place.onFollowing = (is) => setFollowing({ is, seen: latest.current.head })
  }, [place])

  // What changes its height by itself (a code that gets its colours, a window that is made smaller).
  useEffect(() => {
    const element = scroller.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const observer = new ResizeObserver(() => place.settle())
    observer.observe(element)
    observer.observe(content)
    return () => observer.disconnect()
  }, [place, scroller])

  const goTo = useCallback(
    (sequence: number, block = 0, isRemembered = false) => {
      const isFound = latest.current.query !== ''
      const key = latest.current.reveal(sequence, isFound)
      if (key === null) return
      const { rows, query } = latest.current
      const row = isFound ? foundIn(rows, key, query) : rowAt(rows, key, block)
      if (isRemembered) place.goTo(row, 0)
      else {
        setTarget(row)
        place.goTo(row)
      }
    },
    [place],
  )

  useInitial(initial, head, isPartial, goTo, place)
  useTold(following.is, scroller, latest)

  const items = list.getVirtualItems()
  return {
    place,
    items,
    before: items[0]?.start ?? EDGE,
    behind: list.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: list.measureElement,
    isFollowing: following.is,
    seen: following.seen,
    target,
    goTo,
    goToEnd: useCallback(() => place.goToEnd(), [place]),
  }
}

/** The rows in view and those up to a margin around them; at least one on each side. */
function rangeWithin({ startIndex, endIndex, count }: Range, list: List | null): number[] {
  const sizes = list?.measurementsCache ?? []
  let first = startIndex
  for (let room = MARGIN; first > 0 && room > 0; room -= sizes[first]?.size ?? MARGIN) first -= 1
  let last = endIndex
  for (let room = MARGIN; last < count - 1 && room > 0; room -= sizes[last]?.size ?? MARGIN) last += 1
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/**
 * To the fraction: the place is kept by where rows really are. Were they counted in whole pixels, a row more or less
 * before the page would move all the others.
 */
function heightOf(element: Element, entry: ResizeObserverEntry | undefined): number {
  return entry?.borderBoxSize?.[0]?.blockSize ?? element.getBoundingClientRect().height
}

const leaveAlone = () => {}
const never = () => false

/** Goes to where the reader was, as soon as it is loaded; and to wherever a link leads later. */
function useInitial(
  initial: ReadingPlace,
  head: number,
  isPartial: boolean,
  goTo: (sequence: number, block: number, isRemembered?: boolean) => void,
  place: ScrollPlace,
): void {
  const done = useRef<ReadingPlace | null>(null)
  useEffect(() => {
    if (done.current === initial) return
    if (initial === 'end') place.goToEnd()
    else if (initial.sequence > head || (initial.block > 0 && isPartial)) return
    else goTo(initial.sequence, initial.block, initial.isRemembered)
    done.current = initial
  }, [initial, head, isPartial, goTo, place])
}

/** Tells where the reader is, once they rest there. */
function useTold(
  isFollowing: boolean,
  scroller: RefObject<HTMLDivElement | null>,
  latest: RefObject<{ rows: readonly Row[]; onPlace: ((place: ReadingPlace) => void) | undefined }>,
): void {
  useEffect(() => {
    if (isFollowing) {
      latest.current.onPlace?.('end')
      return
    }
    let timer: ReturnType<typeof setTimeout>
    const tell = () => {
      const spot = spotOf(latest.current.rows, firstInSight(scroller.current, latest.current.rows))
      if (spot) latest.current.onPlace?.(spot)
    }
    const scrolled = () => {
      clearTimeout(timer)
      timer = setTimeout(tell, TOLD_MS)
    }
    scrolled()
    const element = scroller.current
    element?.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('scroll', scrolled)
    }
  }, [isFollowing, scroller, latest])
}

/** What stands at the upper edge, whichever way the reader came there. */
function firstInSight(scroller: HTMLElement | null, rows: readonly Row[]): string | null {
  if (!scroller) return null
  const { top } = scroller.getBoundingClientRect()
  const shown = [...scroller.querySelectorAll<HTMLElement>('[data-index]')]
  const first = shown.find((element) => element.getBoundingClientRect().bottom > top + 1)
  return rows[Number(first?.dataset.index)]?.key ?? null
}

/** The last row that stands for this event or one before it. */
function nearest(rows: readonly Row[], sequence: number | undefined): string | null {
  if (sequence === undefined) return null
  return rows.findLast((row) => row.sequence > 0 && row.sequence <= sequence)?.key ?? null
}

/** Of a long text, the block that has the words. */
function foundIn(rows: readonly Row[], itemKey: string, query: string): string {
  const words = query.toLowerCase()
  const row = rows.find(
    (one) => one.kind === 'block' && one.itemKey === itemKey && one.block.raw.toLowerCase().includes(words),
  )
  return row?.key ?? itemKey
}
