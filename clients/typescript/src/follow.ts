// Follows a log through lost connections and restarts: each event once, in order.
//
// Position is all there is to it: whatever breaks, the next connection asks for what comes after the last event that
// was received, and 204 says that nothing will.
import { Connection } from './connection.js'
import { foreign, HoldfastError, NetworkError, StreamLost } from './errors.js'
import { Patience, type PatienceOptions } from './patience.js'
import type { Place, StreamNotice } from './place.js'
import { SseParser } from './sse.js'

export type StreamState = 'idle' | 'starting' | 'streaming' | 'reconnecting' | 'done' | 'error'

export interface StreamInfo {
  /** How many times the stream has been opened in vain, this time included; 0 while all is well. */
  attempt: number
  /** How long from now it takes until the next attempt. */
  delayMs: number
  /** What broke the stream. */
  error?: HoldfastError
}

export interface FollowOptions extends PatienceOptions {
  onState?: ((state: StreamState, info: StreamInfo) => void) | undefined
  onNotice?: ((notice: StreamNotice) => void) | undefined
  /** A connection from which nothing is heard for so long counts as dropped. The server breathes every 15 s. */
  quietMs?: number | undefined
}

/** Opens the stream after a position. */
export interface StreamAddress {
  fetch: typeof globalThis.fetch
  url: string
  headers(after: number | undefined): Headers
  /** Whoever reads now, so that all can be closed together. */
  readers: Set<{ close(): void }>
}

const QUIET_MS = 45_000
// More than a heartbeat: a connection that is silent for longer is not worth waiting for when the machine wakes up.
const DOUBTFUL_MS = 20_000
// Those that say "not now"; every other 4xx will say the same again.
const PASSING = new Set([408, 425, 429])

interface Drop {
  error: HoldfastError
  /** The server has said that it stops. */
  isAnnounced: boolean
}

export class Follow<E> {
  readonly #address: StreamAddress
  readonly #place: Place<E>
  readonly #options: FollowOptions
  readonly #patience: Patience
  #state: StreamState = 'idle'
  #wasAtOnce = false
  #hasOpened = false
  #isClosed = false
  #connection: Connection | undefined
  #wake: (() => void) | undefined

  constructor(address: StreamAddress, place: Place<E>, options: FollowOptions) {
    this.#address = address
    this.#place = place
    this.#options = options
    this.#patience = new Patience(options)
  }

  get state(): StreamState {
    return this.#state
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The last position that was received. */
  get after(): number | undefined {
    return this.#place.after
  }

  /** The events that came together, together; reads on only when asked for more. */
  async *batches(): AsyncGenerator<E[], void, undefined> {
    this.#tell('starting')
    try {
      while (!this.#isClosed) {
        const drop = yield* this.#connected()
        if (this.#isClosed) return
        if (drop === undefined) {
          this.#tell('done')
          return
        }
        await this.#pause(drop)
      }
    } catch (error) {
      this.#tell('error', { attempt: this.#attempts, delayMs: 0, error: error as HoldfastError })
      throw error
    } finally {
      this.close()
      if (this.#state !== 'done' && this.#state !== 'error') this.#tell('idle')
    }
  }

  /** Tries now instead of after the delay, and drops a connection that may have died while the machine slept. */
  retryNow(): void {
    this.#wake?.()
    if (this.#connection !== undefined && this.#connection.silenceMs > DOUBTFUL_MS) {
      this.#connection.close(new NetworkError('The connection was silent for too long'))
    }
  }

  /** Ends it at once; who waits for events gets none any more. */
  close(): void {
    this.#isClosed = true
    this.#connection?.close()
    this.#wake?.()
  }

  /** One connection; answers how it dropped, or undefined if nothing more is to come. */
  async *#connected(): AsyncGenerator<E[], Drop | undefined, undefined> {
    const connection = new Connection(this.#options.quietMs ?? QUIET_MS)
    this.#connection = connection
    const before = this.#patience.tried
    let isAnnounced = false
    try {
      if (!(await this.#open(connection))) return undefined
      const parser = new SseParser()
      for (let bytes = await connection.read(); bytes !== undefined; bytes = await connection.read()) {
        const { events, notices, fault } = this.#place.take(parser.feed(bytes))
        if (parser.retryMs !== undefined) this.#patience.longestMs = Math.max(100, parser.retryMs)
        for (const notice of notices) {
          isAnnounced ||= 'closing' in notice
          this.#options.onNotice?.(notice)
        }
        if (this.#isClosed) return undefined
        if (events.length > 0) yield events
        if (fault !== undefined) {
          // A log that has a hole would be opened for ever: what brings nothing new does not start the count anew.
          if (events.length === 0) this.#patience.tried = before
          throw fault
        }
      }
      if (this.#place.isOver && !isAnnounced) return undefined
      return { error: new NetworkError('The server ended the stream'), isAnnounced }
    } catch (error) {
      if (isDrop(error) || this.#isBetween(error)) return { error, isAnnounced }
      throw error
    } finally {
      connection.close()
      this.#connection = undefined
    }
  }

  /** Whether there is anything to read. Throws what the server refused with. */
  async #open(connection: Connection): Promise<boolean> {
    const { fetch, url, headers } = this.#address
    const response = await connection.open(fetch, url, headers(this.#place.after))
    if (response.status === 204) return false
    if (!response.ok) throw await connection.refusal(response)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw foreign(response.status)
    this.#hasOpened = true
    this.#patience.reset()
    this.#tell('streaming')
    return true
  }

  /** Whether something answers in the place of a server that was there: a hotel's log-in page, a proxy's excuse. */
  #isBetween(error: unknown): error is HoldfastError {
    return error instanceof HoldfastError && error.code === 'foreign' && this.#hasOpened
  }

  /** Waits until the next attempt; throws StreamLost if there is none. */
  async #pause({ error, isAnnounced }: Drop): Promise<void> {
    // A server that stops tells so to whoever comes before its port is closed, too: at once only once.
    const isAtOnce = isAnnounced && !this.#wasAtOnce
    this.#wasAtOnce = isAtOnce
    const delayMs = isAtOnce ? 0 : this.#patience.next()
    if (delayMs === undefined) throw new StreamLost(this.#place.after, this.#attempts, error)
    this.#tell('reconnecting', { attempt: this.#attempts, delayMs, error })
    if (this.#isClosed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }

  get #attempts(): number {
    return this.#patience.tried.attempt
  }

  #tell(state: StreamState, info: StreamInfo = { attempt: this.#attempts, delayMs: 0 }): void {
    this.#state = state
    this.#options.onState?.(state, info)
  }
}

/** Whether it may be better next time; where no answer came, the status is 0. */
export function isDrop(error: unknown): error is HoldfastError {
  if (!(error instanceof HoldfastError)) return false
  const { status } = error
  return status === 0 || status >= 500 || PASSING.has(status)
}
