// One session's log on this page: everything up to now from the server, then what the feed brings, each event once.
//
// Rule 1: an event is folded only if its sequence is the next. One that was seen is dropped; one from further on means
//         that something is missing, and the log catches up from where it stands.
// Rule 2: nothing is ever cleared because a connection was lost.
import { type Envelope, type Holdfast, HoldfastError, NetworkError, type PositionedEnvelope } from 'holdfast-client'
import { EMPTY, fold } from '@/fold/fold'
import type { Conversation } from '@/fold/model'
import { Observable } from './observable'
import { DELAYS } from './patience'

export interface LogView {
  conversation: Conversation
  /** `loading` until the first catch-up is done; `missing`: there is no such session. */
  state: 'loading' | 'ready' | 'missing' | 'failed'
  reason: string | null
}

const PAGE = 1000
// Twenty times a second is smooth to read; a long open block costs more to draw, so it is drawn less often.
const FLUSH_MS = 50
const FLUSH_LONG_MS = 100
const LONG_CHARACTERS = 20_000

export class SessionLog {
  readonly view = new Observable<LogView>({ conversation: EMPTY, state: 'loading', reason: null })
  readonly id: string
  readonly #client: Holdfast
  #conversation = EMPTY
  /** Taken in order but not folded yet. */
  #taken: Envelope[] = []
  #head = 0
  /** What the feed brought while the log was catching up. */
  #early: Envelope[] = []
  #catching: AbortController | null = null
  /** Something may have happened since the catching up that is under way began. */
  #isWantedAgain = false
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(client: Holdfast, id: string) {
    this.#client = client
    this.id = id
  }

  /** What the feed has brought of this session. */
  offer(events: readonly PositionedEnvelope[]): void {
    if (this.#catching) {
      this.#early.push(...events)
      return
    }
    if (this.#take(events)) this.#flushSoon()
    else void this.catchUp()
  }

  /** Reads what is there on the server and not yet here. */
  async catchUp(): Promise<void> {
    if (this.#catching) {
      this.#isWantedAgain = true
      return
    }
    const catching = new AbortController()
    this.#catching = catching
    try {
      await this.#readHistory(catching.signal)
      await this.#readOpen(catching.signal)
      this.#flush('ready')
    } catch (error) {
      if (!catching.signal.aborted) this.#failed(error)
    } finally {
      this.#catching = null
    }
    if (catching.signal.aborted) return
    const early = this.#early
    const isWantedAgain = this.#isWantedAgain
    this.#early = []
    this.#isWantedAgain = false
    const isWhole = this.#take(early)
    if (isWantedAgain || (this.view.get().state === 'ready' && !isWhole)) void this.catchUp()
    else this.#flushSoon()
  }

  close(): void {
    this.#catching?.abort()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Finished things, a page at a time. */
  async #readHistory(signal: AbortSignal): Promise<void> {
    let after: number | undefined = this.#head
    while (after !== undefined) {
      const page = await this.#client.session(this.id).history({ after, limit: PAGE, signal })
      if (page.head < this.#head) this.#startAnew()
      this.#accept(page.events)
      after = page.next_after
      // Each page is shown as it comes: a long session need not be whole to be read.
      if (after !== undefined) this.#flush('loading')
    }
  }

  /** What is being written at this moment: history has no partials. */
  async #readOpen(signal: AbortSignal): Promise<void> {
    let end = Number.POSITIVE_INFINITY
    const stream = this.#client.session(this.id).events({
      after: this.#head,
      delays: DELAYS,
      partials: false,
      signal,
      onNotice: (notice) => {
        if ('head' in notice) end = notice.head
        // Nothing is to come before something happens, which may be never.
        if (this.#head >= end) stream.close()
      },
    })
    // The session's own stream is read up to where it stood, no further: the feed has the rest.
    for await (const batch of stream.batches()) {
      this.#accept(batch)
      if (this.#head >= end) break
    }
  }

  /** From the server's own reading: in order, possibly with numbers left out. */
  #accept(events: readonly Envelope[]): void {
    for (const event of events) {
      if (event.sequence <= this.#head) continue
      this.#taken.push(event)
      this.#head = event.sequence
    }
  }

  /** From the feed: only what is next. False if something is missing. */
  #take(events: readonly Envelope[]): boolean {
    for (const event of events) {
      if (event.sequence <= this.#head) continue
      if (event.sequence > this.#head + 1) return false
      this.#taken.push(event)
      this.#head = event.sequence
    }
    return true
  }

  /** The server's log is shorter than ours: it is another one. */
  #startAnew(): void {
    this.#head = 0
    this.#taken = []
    this.#early = []
    this.#conversation = EMPTY
  }

  #flushSoon(): void {
    if (this.#timer || this.#taken.length === 0) return
    const open = this.#conversation.items.at(-1)
    const isLong = open?.kind === 'text' && open.isOpen && open.text.length > LONG_CHARACTERS
    this.#timer = setTimeout(() => this.#flush('ready'), isLong ? FLUSH_LONG_MS : FLUSH_MS)
  }

  #flush(state: 'loading' | 'ready'): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#conversation = fold(this.#conversation, this.#taken)
    this.#taken = []
    this.view.set({ conversation: this.#conversation, state, reason: null })
  }

  #failed(error: unknown): void {
    const isMissing = error instanceof HoldfastError && error.status === 404
    // Without a network there is nothing new to say: the feed tells it, and calls again when it is back.
    if (error instanceof NetworkError && this.view.get().state === 'ready') return
    const reason = error instanceof Error ? error.message : String(error)
    this.view.set({ conversation: this.#conversation, state: isMissing ? 'missing' : 'failed', reason })
  }
}
