// Keeps a list that scrolls at its place, whatever happens to its rows.
//
// Rule 1: while following, the end is in view.
// Rule 2: else the row at the upper edge (or one that is held) stays where it is.
// Rule 3: only the reader ends the following; reaching the end begins it again.

/** What the place must know of the list. */
export interface PlacedList {
  element: HTMLElement
  /** The element of a row, if it is on the page. */
  rowElement(key: string): Element | undefined
  /** Where a row begins, as far as it is known: those that were never on the page are estimated. */
  rowStart(key: string): number | null
  /** The rows that are on the page, from the first to the last. */
  keys(): readonly string[]
  /** The row that stands for what was at a row that is gone. */
  replacement(key: string): string | null
  /** The list has been moved. */
  moved(): void
}

interface Anchor {
  key: string
  /** Of the row's upper edge below that of the list. */
  offset: number
}

// A scroll event may come late, from a move before the reader's own.
const LATE_MS = 400
// Who has come so near to the end has arrived.
const NEAR = 24
const EXACT = 2
// So often a move may lead to the next one before anything is painted; React gives up after 50 renders in a row.
const MOVES = 20
// A row that somebody goes to is shown with a little of what is above it.
const ABOVE = 64

export class ScrollPlace {
  list: PlacedList | null = null
  isFollowing = true
  onFollowing: (isFollowing: boolean) => void = () => {}
  #anchor: Anchor | null = null
  #goal: Anchor | null = null
  #written = -1
  #guardedUntil = 0
  #heldWhileFollowing = false
  #moves = 0
  /** Where the list was while following. */
  #end = { top: 0, height: 0 }

  /** The row that stays where it is; null while following. */
  get anchorKey(): string | null {
    return this.isFollowing ? null : (this.#anchor?.key ?? null)
  }

  /** Puts the list where it belongs. To be called whenever something may have changed, before it is painted. */
  settle(): void {
    const { list } = this
    if (!list) return
    if (this.#goal !== null) {
      // What it is in may not be unfolded yet.
      const { key, offset } = this.#goal
      if (list.rowStart(key) === null) return
      if (this.#bring(this.#goal)) {
        this.#anchor = { key, offset: this.#offsetOf(key) ?? offset }
        this.#goal = null
      }
    } else if (this.isFollowing) {
      this.#write(list.element.scrollHeight - list.element.clientHeight)
      this.#end = { top: list.element.scrollTop, height: list.element.scrollHeight }
    } else if (this.#anchor) {
      this.#bring(this.#anchor)
    }
    if (this.#heldWhileFollowing) {
      this.#heldWhileFollowing = false
      if (this.#distance() <= EXACT) this.#follow(true)
    }
  }

  /** The list was scrolled, by the reader or by ourselves. */
  scrolled(): void {
    const { list } = this
    if (!list || Math.abs(list.element.scrollTop - this.#written) < 1) return
    this.#written = -1
    // Underway to a row, the browser may have stopped us where the list ended before it grew.
    if (this.#goal !== null) return
    if (this.isFollowing && this.#isMovedAway()) this.leave()
    else if (!this.isFollowing) {
      if (performance.now() >= this.#guardedUntil && this.#distance() <= NEAR) this.#follow(true)
      else this.#remember()
    }
  }

  /** The reader moves away from the end. */
  leave(): void {
    const { list } = this
    if (!list || list.element.scrollHeight <= list.element.clientHeight) return
    this.#goal = null
    this.#guardedUntil = performance.now() + LATE_MS
    if (!this.isFollowing) return
    this.#remember()
    this.#follow(false)
    // Nothing came of it: a wheel that was turned over something that scrolls by itself.
    setTimeout(() => {
      if (!this.isFollowing && this.#goal === null && this.#distance() <= EXACT) this.#follow(true)
    }, LATE_MS + 50)
  }

  /** The reader moves towards the end: reaching it counts at once. */
  approach(): void {
    this.#goal = null
    this.#guardedUntil = 0
  }

  /** Goes to a row, as soon as it is there. */
  goTo(key: string, above = ABOVE): void {
    this.#goal = { key, offset: above }
    this.#follow(false)
    this.settle()
  }

  goToEnd(): void {
    this.#goal = null
    this.#guardedUntil = 0
    this.#follow(true)
    this.settle()
  }

  /** This row is about to change its height, and is to stay where it is. */
  hold(key: string): void {
    const offset = this.#offsetOf(key)
    if (offset === null) return
    this.#anchor = { key, offset }
    this.#heldWhileFollowing = this.isFollowing
    this.#follow(false)
  }

  /** By whom there is no gesture of: a screen reader, the search of the browser. A list that got shorter is no move. */
  #isMovedAway(): boolean {
    const { scrollTop, scrollHeight } = this.list!.element
    return scrollTop < this.#end.top - NEAR && scrollHeight >= this.#end.height
  }

  #follow(isFollowing: boolean): void {
    if (this.isFollowing === isFollowing) return
    this.isFollowing = isFollowing
    if (isFollowing) this.#anchor = null
    this.onFollowing(isFollowing)
  }

  #remember(): void {
    let last: Anchor | null = null
    for (const key of this.list?.keys() ?? []) {
      const offset = this.#offsetOf(key)
      const height = this.list?.rowElement(key)?.getBoundingClientRect().height ?? 0
      if (offset === null) continue
      last = { key, offset }
      if (offset + height > 1) break
    }
    // After a leap forwards every row on the page is above its edge: then the last of them tells the place.
    if (last) this.#anchor = last
  }

  /** True once the row is on the page, and there. */
  #bring(anchor: Anchor): boolean {
    const list = this.list!
    const offset = this.#offsetOf(anchor.key)
    if (offset !== null) {
      const by = offset - anchor.offset
      if (Math.abs(by) >= 1) this.#write(list.element.scrollTop + by)
      return true
    }
    const start = list.rowStart(anchor.key)
    if (start !== null) {
      this.#write(start - anchor.offset)
      return false
    }
    const key = list.replacement(anchor.key)
    if (key === null) return true
    this.#anchor = { key, offset: anchor.offset }
    return this.#bring(this.#anchor)
  }

  #write(top: number): void {
    const { element, moved } = this.list!
    const before = element.scrollTop
    if (Math.abs(before - top) < 1) return
    element.scrollTop = top
    this.#written = element.scrollTop
    if (element.scrollTop === before) return
    this.#moves += 1
    if (this.#moves === 1) setTimeout(() => this.#rest())
    if (this.#moves <= MOVES) moved()
  }

  /** The rows had their turn, and the browser may have measured them: what was too much at once can go on. */
  #rest(): void {
    const wasCut = this.#moves > MOVES
    this.#moves = 0
    if (wasCut) this.list?.moved()
  }

  #offsetOf(key: string): number | null {
    const row = this.list?.rowElement(key)
    if (!row?.isConnected) return null
    return row.getBoundingClientRect().top - this.list!.element.getBoundingClientRect().top
  }

  #distance(): number {
    const { scrollHeight, clientHeight, scrollTop } = this.list!.element
    return scrollHeight - clientHeight - scrollTop
  }
}
