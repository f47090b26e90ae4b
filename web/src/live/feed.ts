// One stream for all tabs [R073]: the tab that holds the lock reads it and tells the others.
//
// A browser opens six connections to a server over HTTP/1.1; with a stream in each tab the seventh would never load.
// Every tab remembers the last position that it has heard of. When the leading tab goes, the browser gives the lock to
// the next one, which reads on from there. What comes twice on the way is dropped by whoever keeps a session's log.
import {
  type Holdfast,
  HoldfastError,
  type PositionedEnvelope,
  type StreamInfo,
  StreamLost,
  type StreamState,
} from 'holdfast-client'
import { type Connection, IDLE } from './connection'
import { Observable } from './observable'
import { DELAYS } from './patience'
import { type Message, openChannel, type TabChannel, whileLeading } from './tabs'

export type Listener = (events: readonly PositionedEnvelope[]) => void

export class Feed {
  readonly connection = new Observable<Connection>(IDLE)
  readonly #client: Holdfast
  readonly #listeners = new Set<Listener>()
  readonly #channel: TabChannel
  readonly #stop = new AbortController()
  #position: number | undefined
  #isLeading = false
  #retry: () => void = () => {}

  constructor(client: Holdfast) {
    this.#client = client
    this.#channel = openChannel((message) => this.#hear(message))
  }

  start(): void {
    void whileLeading(this.#stop.signal, (signal) => this.#lead(signal))
    // Somebody else may lead already, and knows how the connection stands.
    this.#channel.tell({ kind: 'hello' })
    window.addEventListener('online', this.retryNow)
    document.addEventListener('visibilitychange', this.#wake)
  }

  stop(): void {
    this.#stop.abort()
    this.#channel.close()
    window.removeEventListener('online', this.retryNow)
    document.removeEventListener('visibilitychange', this.#wake)
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tries now instead of later: the person asks for it, the network is back, or the machine has woken up. */
  retryNow = (): void => {
    if (this.#isLeading) this.#retry()
    else this.#channel.tell({ kind: 'retry' })
  }

  #wake = (): void => {
    if (document.visibilityState === 'visible') this.retryNow()
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true
    while (!signal.aborted) {
      try {
        await this.#read(this.#position, signal)
      } catch (error) {
        if (signal.aborted) return
        this.#lost(error)
        await this.#asked(signal)
      }
    }
  }

  /** Without a position it begins now: whoever keeps a log catches up when the stream is open. */
  async #read(after: number | undefined, signal: AbortSignal): Promise<void> {
    const onState = (state: StreamState, info: StreamInfo) => this.#told(state, info)
    const stream = this.#client.events({ after, delays: DELAYS, signal, onState })
    this.#retry = () => stream.retryNow()
    for await (const batch of stream.batches()) {
      this.#channel.tell({ kind: 'events', events: batch })
      this.#pass(batch)
    }
  }

  /** Resolves when somebody wants another attempt. */
  #asked(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#retry = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  #told(state: StreamState, info: StreamInfo): void {
    // The stream ends in a throw, which says more; and a stream that is left is left for another one.
    if (state === 'error' || state === 'idle') return
    this.#connected({
      state,
      attempt: info.attempt,
      retryAt: state === 'reconnecting' ? Date.now() + info.delayMs : null,
      reason: info.error?.message ?? null,
      isUnauthorized: false,
    })
  }

  #lost(error: unknown): void {
    // That a connection broke is said in the reader's language; what a server says, in its own words.
    const reason = error instanceof StreamLost ? null : error instanceof Error ? error.message : String(error)
    const isUnauthorized = error instanceof HoldfastError && error.status === 401
    this.#connected({ state: 'error', attempt: 0, retryAt: null, reason, isUnauthorized })
  }

  #connected(connection: Connection): void {
    this.connection.set(connection)
    this.#channel.tell({ kind: 'connection', connection })
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'events':
        this.#pass(message.events)
        break
      case 'connection':
        if (!this.#isLeading) this.connection.set(message.connection)
        break
      case 'hello':
        if (!this.#isLeading) break
        // Whoever comes may have logged in; told of the old refusal it would be sent to the log-in again, for ever.
        if (this.connection.get().isUnauthorized) this.#retry()
        else this.#channel.tell({ kind: 'connection', connection: this.connection.get() })
        break
      case 'retry':
        if (this.#isLeading) this.#retry()
        break
    }
  }

  #pass(events: readonly PositionedEnvelope[]): void {
    const last = events.at(-1)
    if (!last) return
    // Not the highest: a server with a new log counts from 1 again.
    this.#position = last.position
    for (const listener of [...this.#listeners]) listener(events)
  }
}
