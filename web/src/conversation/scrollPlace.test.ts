// The place of a reader in a list, on a list that is only calculated: what a browser adds is tested in one.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScrollPlace } from './scrollPlace'

const VIEW = 500

/** A list of rows with heights; those within a screen of the place are on the page. */
class FakeList {
  top = 0
  rows: { key: string; height: number }[]
  readonly place = new ScrollPlace()

  constructor(count: number) {
    this.rows = Array.from({ length: count }, (_, index) => ({ key: `row ${index}`, height: 100 }))
    const list = this
    const element = {
      get scrollTop() {
        return list.top
      },
      set scrollTop(top: number) {
        list.top = Math.max(0, Math.min(top, list.height - VIEW))
      },
      get scrollHeight() {
        return Math.max(list.height, VIEW)
      },
      clientHeight: VIEW,
      getBoundingClientRect: () => ({ top: 0 }),
    } as unknown as HTMLElement
    this.place.list = {
      element,
      rowElement: (key) => this.#element(key),
      rowStart: (key) => (this.rows.some((row) => row.key === key) ? this.start(key) : null),
      keys: () => this.rows.map(({ key }) => key).filter((key) => this.#element(key)),
      replacement: () => this.rows[0]?.key ?? null,
      moved: () => this.place.settle(),
    }
  }

  get height() {
    return this.rows.reduce((sum, { height }) => sum + height, 0)
  }

  start(key: string) {
    return this.rows
      .slice(
        0,
        this.rows.findIndex((row) => row.key === key),
      )
      .reduce((sum, { height }) => sum + height, 0)
  }

  offset(key: string) {
    return this.start(key) - this.top
  }

  get isAtEnd() {
    return this.height - VIEW - this.top < 1
  }

  /** As a browser does it: the place changes, then the event comes. */
  scroll(top: number) {
    this.top = Math.max(0, Math.min(top, this.height - VIEW))
    this.place.scrolled()
  }

  grow(height = 100) {
    this.rows.push({ key: `row ${this.rows.length} ${Math.random()}`, height })
    this.place.settle()
  }

  #element(key: string): Element | undefined {
    const row = this.rows.find((one) => one.key === key)
    if (!row || Math.abs(this.offset(key)) > 2 * VIEW) return undefined
    const rect = { top: this.offset(key), height: row.height }
    return { isConnected: true, getBoundingClientRect: () => rect } as unknown as Element
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('it follows the end until the reader moves away', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.grow()
  expect(list.isAtEnd).toBe(true)
  list.place.leave()
  list.scroll(list.top - 40)
  const { top } = list
  list.grow()
  list.grow(1000)
  expect(list.top).toBe(top)
  expect(list.place.isFollowing).toBe(false)
})

test('a scroll event that comes late does not begin the following again', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.place.leave()
  list.scroll(list.top - 5) // still near to the end
  expect(list.place.isFollowing).toBe(false)
  vi.advanceTimersByTime(1000)
  list.scroll(list.top - 500)
  expect(list.place.isFollowing).toBe(false)
})

test('reaching the end begins it again; on the way there at once', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.place.leave()
  list.scroll(300)
  list.place.approach()
  list.scroll(list.height)
  expect(list.place.isFollowing).toBe(true)
})

test('a wheel that moved something else does not end it for good', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.place.leave()
  vi.advanceTimersByTime(1000)
  expect(list.place.isFollowing).toBe(true)
})

test('what is moved without a gesture, by a screen reader, is left where it is', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.scroll(200)
  expect(list.place.isFollowing).toBe(false)
  list.grow()
  expect(list.top).toBe(200)
})

test('a list that got shorter is still followed', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.rows.pop()
  list.scroll(list.top)
  list.grow()
  expect(list.place.isFollowing).toBe(true)
  expect(list.isAtEnd).toBe(true)
})

test('what grows, shrinks or is put in above the reader moves nothing that is seen', () => {
  const list = new FakeList(30)
  list.place.settle()
  list.place.leave()
  list.scroll(1250)
  const before = list.offset('row 12')
  list.rows[3]!.height = 340
  list.place.settle()
  expect(list.offset('row 12')).toBe(before)
  list.rows.unshift(...Array.from({ length: 50 }, (_, index) => ({ key: `older ${index}`, height: 80 })))
  list.place.settle()
  expect(list.offset('row 12')).toBe(before)
})

test('a row that is unfolded stays where it is, also at the end', () => {
  const list = new FakeList(20)
  list.place.settle()
  const before = list.offset('row 18')
  list.place.hold('row 18')
  list.rows[18]!.height = 600
  list.place.settle()
  expect(list.offset('row 18')).toBe(before)
  expect(list.place.isFollowing).toBe(false)
  list.place.hold('row 18')
  list.rows[18]!.height = 100
  list.top = Math.min(list.top, list.height - VIEW)
  list.place.settle()
  expect(list.offset('row 18')).toBe(before)
})

test('a row that somebody goes to is brought into view, as soon as it is there', () => {
  const list = new FakeList(100)
  list.place.settle()
  list.place.goTo('new row')
  expect(list.place.isFollowing).toBe(false)
  list.rows.splice(40, 0, { key: 'new row', height: 100 })
  list.place.settle()
  list.place.settle()
  expect(list.offset('new row')).toBeGreaterThanOrEqual(0)
  expect(list.offset('new row')).toBeLessThan(VIEW)
})

test('a row that is gone is replaced by one that stands for it', () => {
  const list = new FakeList(20)
  list.place.settle()
  list.place.leave()
  list.scroll(1000)
  list.rows = list.rows.slice(0, 5)
  list.top = Math.min(list.top, Math.max(0, list.height - VIEW))
  expect(() => list.place.settle()).not.toThrow()
})

test('a list that moves its rows with every move is given up for the moment, and tried again later', () => {
  const list = new FakeList(40)
  list.place.settle()
  list.place.leave()
  list.scroll(2000)
  let moves = 0
  const restless = () => {
    moves += 1
    list.rows[0]!.height += moves % 2 === 0 ? 10 : -10
    list.place.settle()
  }
  list.place.list = { ...list.place.list!, moved: restless }
  list.rows[0]!.height += 10
  list.place.settle()
  const before = moves
  expect(before).toBeLessThan(40)
  vi.advanceTimersToNextTimer()
  expect(moves).toBeGreaterThan(before)
  expect(moves - before).toBeLessThan(40)
})
