// What the reader does with wheel, finger, keys and scrollbar: away from the end, or towards it.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  type TouchEvent,
  useMemo,
  useRef,
  type WheelEvent,
} from 'react'
import type { ScrollPlace } from './scrollPlace'

const UP = new Set(['PageUp', 'ArrowUp', 'k'])
// As far as browsers go with an arrow.
const LINE = 40
const DOWN = new Set(['PageDown', 'ArrowDown', ' ', 'j'])

/** `first`: the key of the list's first row. */
export function useGestures(scroller: RefObject<HTMLDivElement | null>, place: ScrollPlace, first: string | undefined) {
  const touchedAt = useRef(0)
  return useMemo(
    () => ({
      onWheel(event: WheelEvent) {
        if (event.deltaY > 0) place.approach()
        else if (event.deltaY < 0 && !isInner(event.target, scroller.current)) place.leave()
      },
      onTouchStart(event: TouchEvent) {
        touchedAt.current = event.touches[0]?.clientY ?? 0
      },
      onTouchMove(event: TouchEvent) {
        const y = event.touches[0]?.clientY ?? 0
        if (y > touchedAt.current && !isInner(event.target, scroller.current)) place.leave()
        else if (y < touchedAt.current) place.approach()
        touchedAt.current = y
      },
      onPointerDown(event: PointerEvent) {
        // The scrollbar belongs to the element itself, beside what it shows.
        const element = scroller.current
        if (event.target === element && element && event.nativeEvent.offsetX >= element.clientWidth) place.leave()
      },
      onKeyDown(event: KeyboardEvent) {
        if (isTyped(event)) return
        const way = wayOf(event, scroller.current)
        if (event.key === 'End') {
          event.preventDefault()
          place.goToEnd()
        } else if (event.key === 'Home' && first !== undefined) {
          event.preventDefault()
          place.goTo(first)
        } else if (UP.has(event.key) || (event.key === ' ' && event.shiftKey)) place.leave()
        else if (DOWN.has(event.key)) place.approach()
        // At once: the browser's own way is a slow one, which ends where the place is put right for the first time.
        if (way !== 0) {
          event.preventDefault()
          scroller.current?.scrollBy({ top: way, behavior: 'instant' })
          place.scrolled()
        }
        // The browser scrolls to what gets the focus.
        else if (event.key === 'Tab' && event.shiftKey) place.leave()
      },
    }),
    [scroller, place, first],
  )
}

/** How far a key moves the list; 0 if it does not, or something inside of it takes the key. */
function wayOf({ key, target }: KeyboardEvent, scroller: HTMLElement | null): number {
  if (!scroller || (target as HTMLElement).closest('button, a, summary, [aria-haspopup]')) return 0
  for (let element = target as HTMLElement; element !== scroller; element = element.parentElement ?? scroller) {
    if (element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)) return 0
  }
  const page = scroller.clientHeight - LINE
  switch (key) {
    case 'PageUp':
      return -page
    case 'PageDown':
      return page
    case 'ArrowUp':
      return -LINE
    case 'ArrowDown':
      return LINE
    default:
      return 0
  }
}

/** A key for a field, or with another one: none of ours. */
export function isTyped(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** Something inside the list that can scroll up by itself takes the gesture. */
function isInner(target: EventTarget, scroller: HTMLElement | null): boolean {
  for (let element = target as HTMLElement | null; element && element !== scroller; element = element.parentElement) {
    if (element.scrollTop > 0 && /auto|scroll/.test(getComputedStyle(element).overflowY)) return true
  }
  return false
}
