// Where a reader stands in a log: lets each event pass once, in order, and notices when some are missing. Pure.
import { foreign, NetworkError } from './errors.js'
import type { Frame } from './sse.js'
import { type Envelope, isTerminal, type PositionedEnvelope } from './types.js'

/** What a stream says about itself. */
export type StreamNotice =
  | {
      /** `gap`: numbers after the position are no longer there; `reset`: everything comes again from the beginning. */
      resume: 'ok' | 'gap' | 'reset'
      after: number
      /** Where the log stood when the stream was opened. */
      head: number
    }
  | { closing: string }

export interface Taken<E> {
  events: E[]
  notices: StreamNotice[]
  /** Why the rest was not taken: events are missing, or what came is none. The connection is of no more use. */
  fault: Error | undefined
}

export interface Place<E> {
  /** The last position that was received; undefined before the combined stream has told where it begins. */
  readonly after: number | undefined
  /** Whether the last run that was seen has ended: then the end of the stream is the end of the session. */
  readonly isOver: boolean
  take(frames: readonly Frame[]): Taken<E>
}

export class SessionPlace implements Place<Envelope> {
  after: number
  readonly #hasPartials: boolean
  #hasEnded = false
  // Where the log stood when the stream was opened: before that no run's end is the session's.
  #head = 0
  // Up to here numbers may be missing: the server has said so.
  #sparseTo = 0

  constructor(after: number, hasPartials: boolean) {
    this.after = after
    this.#hasPartials = hasPartials
  }

  get isOver(): boolean {
    return this.#hasEnded && this.after >= this.#head
  }

  take(frames: readonly Frame[]): Taken<Envelope> {
    return taken(
      frames,
      (notice) => this.#heard(notice),
      (event) => this.#isNext(event),
    )
  }

  #heard(notice: StreamNotice): void {
    if (!('resume' in notice)) return
    this.#head = notice.head
    this.#sparseTo = notice.resume === 'gap' ? notice.head : 0
    if (notice.resume === 'reset') {
      this.after = notice.after
      this.#hasEnded = false
    }
  }

  #isNext(event: Envelope): boolean {
    const { sequence } = event
    if (sequence <= this.after) return false
    if (this.#hasPartials && sequence > this.after + 1 && sequence > this.#sparseTo + 1) {
      throw new NetworkError(`The events ${this.after + 1} to ${sequence - 1} did not come`)
    }
    this.after = sequence
    if (isTerminal(event)) this.#hasEnded = true
    else if (event.type === 'user_message') this.#hasEnded = false
    return true
  }
}

/** The combined stream: other users' events have positions too, so that some are always missing. */
export class CombinedPlace implements Place<PositionedEnvelope> {
  after: number | undefined
  readonly isOver = false

  constructor(after: number | undefined) {
    this.after = after
  }

  take(frames: readonly Frame[]): Taken<PositionedEnvelope> {
    return taken(
      frames,
      (notice) => this.#heard(notice),
      (event, id) => this.#isNext(event, Number(id)),
    )
  }

  #heard(notice: StreamNotice): void {
    // Also if no position was given: a connection that drops before the first event goes on from where it began.
    if ('resume' in notice && (notice.resume === 'reset' || this.after === undefined)) this.after = notice.after
  }

  #isNext(event: PositionedEnvelope, position: number): boolean {
    if (this.after !== undefined && position <= this.after) return false
    this.after = position
    event.position = position
    return true
  }
}

function taken<E>(
  frames: readonly Frame[],
  heard: (notice: StreamNotice) => void,
  isNext: (event: E, id: string | undefined) => boolean,
): Taken<E> {
  const result: Taken<E> = { events: [], notices: [], fault: undefined }
  try {
    for (const { event: name, data, id } of frames) {
      if (name === 'message') {
        const event: E = JSON.parse(data)
        if (isNext(event, id)) result.events.push(event)
      } else if (name === 'stream') {
        const notice: StreamNotice = JSON.parse(data)
        heard(notice)
        result.notices.push(notice)
      }
    }
  } catch (error) {
    result.fault = error instanceof NetworkError ? error : foreign(200)
  }
  return result
}
