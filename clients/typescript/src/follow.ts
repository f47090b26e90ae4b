// Follows a log through lost connections and restarts: each event once, in order.
//
// Position is all there is to it: whatever breaks, the next connection asks for what comes after the last event that
// was received, and 204 says that nothing will.
import { Connection } from './connection.js'
import { foreign, HoldfastError, NetworkError, StreamLost } from './errors.js'
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

export interface FollowOptions {
  onState?: ((state: StreamState, info: StreamInfo) => void) | undefined
  onNotice?: ((notice: StreamNotice) => void) | undefined
  /** Before each attempt to open the stream again, in milliseconds; there are as many attempts as there are delays. */
  delays?: readonly number[] | undefined
  /** A connection from which nothing is heard for so long counts as dropped. The server breathes every 15 s. */
  quietMs?: number | undefined
}

/** Opens the stream after a position. */
export interface StreamAddress {
  fetch: typeof globalThis.fetch
  url: string
  headers(after: number | undefined): Headers
}

const DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000]
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
  readonly #delays: readonly number[]
  #state: StreamState = 'idle'
  #attempt = 0
  #wasAtOnce = false
  #isClosed = false
  #connection: Connection | undefined
  #wake: (() => void) | undefined

  constructor(address: StreamAddress, place: Place<E>, options: FollowOptions) {
    this.#address = address
    this.#place = place
    this.#options = options
    this.#delays = options.delays ?? DELAYS
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
      this.#tell('error', { attempt: this.#attempt, delayMs: 0, error: error as HoldfastError })
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
    const attempt = this.#attempt
    let isAnnounced = false
    try {
      if (!(await this.#open(connection))) return undefined
      const parser = new SseParser()
      for (let bytes = await connection.read(); bytes !== undefined; bytes = await connection.read()) {
        const { events, notices, fault } = this.#place.take(parser.feed(bytes))
        for (const notice of notices) {
          isAnnounced ||= 'closing' in notice
          this.#options.onNotice?.(notice)
        }
        if (this.#isClosed) return undefined
        if (events.length > 0) yield events
        if (fault !== undefined) {
          // A log that has a hole would be opened for ever: what brings nothing new does not start the count anew.
          if (events.length === 0) this.#attempt = attempt
          throw fault
        }
      }
      if (this.#place.isOver && !isAnnounced) return undefined
      return { error: new NetworkError('The server ended the stream'), isAnnounced }
    } catch (error) {
      if (isDrop(error)) return { error, isAnnounced }
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
    this.#attempt = 0
    this.#tell('streaming')
    return true
  }

  /** Waits until the next attempt; throws StreamLost if there is none. */
  async #pause({ error, isAnnounced }: Drop): Promise<void> {
    // A server that stops tells so to whoever comes before its port is closed, too: at once only once.
    const isAtOnce = isAnnounced && !this.#wasAtOnce
    this.#wasAtOnce = isAtOnce
    const delayMs = isAtOnce ? 0 : this.#delays[this.#attempt]
    if (delayMs === undefined) throw new StreamLost(this.#place.after, this.#attempt, error)
    if (!isAtOnce) this.#attempt += 1
    this.#tell('reconnecting', { attempt: this.#attempt, delayMs, error })
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

  #tell(state: StreamState, info: StreamInfo = { attempt: this.#attempt, delayMs: 0 }): void {
    this.#state = state
    this.#options.onState?.(state, info)
  }
}

/** Whether it may be better next time; where no answer came, the status is 0. */
function isDrop(error: unknown): error is HoldfastError {
  if (!(error instanceof HoldfastError)) return false
  const { status } = error
  return status < 400 || status >= 500 || PASSING.has(status)
}
