// Event streams that resume by themselves, as async iterables: event by event, or all that came together.
import { Follow, type FollowOptions, type StreamAddress, type StreamState } from './follow.js'
import type { Place } from './place.js'

export interface StreamOptions extends FollowOptions {
  /** Only what comes after this position. */
  after?: number | undefined
  /** Ends the loop and the connection at once. */
  signal?: AbortSignal | undefined
}

/**
 * One reader of a log. It connects when it is iterated and lives until the loop is left; iterated again, it goes on
 * behind the last event that was handed out. Dropped connections are opened again without the loop noticing.
 */
export class EventStream<E> implements AsyncIterable<E> {
  readonly #address: StreamAddress
  readonly #placeAfter: (position: number | undefined) => Place<E>
  readonly #positionOf: (event: E) => number
  readonly #options: StreamOptions
  #position: number | undefined
  #follow: Follow<E> | undefined

  constructor(
    address: StreamAddress,
    placeAfter: (position: number | undefined) => Place<E>,
    positionOf: (event: E) => number,
    options: StreamOptions,
  ) {
    this.#address = address
    this.#placeAfter = placeAfter
    this.#positionOf = positionOf
    this.#options = options
    this.#position = options.after
  }

  get state(): StreamState {
    return this.#follow?.state ?? 'idle'
  }

  /** The last event that was handed out, for `after`; before there was one, where the stream began. */
  get position(): number | undefined {
    return this.#position ?? this.#follow?.after
  }

  /** Event by event. At thousands of events a second `batches` costs far less. */
  [Symbol.asyncIterator](): AsyncIterableIterator<E, void, undefined> {
    const follow = this.#begin()
    return leavable(this.#eachOf(follow), follow)
  }

  /** All events that came together, in one array; never an empty one. */
  batches(): AsyncIterableIterator<E[], void, undefined> {
    const follow = this.#begin()
    return leavable(this.#batchesOf(follow), follow)
  }

  /** For when the browser is online again or the tab wakes up: does not wait for the next attempt. */
  retryNow(): void {
    this.#follow?.retryNow()
  }

  /** Ends the loop and the connection at once. */
  close(): void {
    this.#follow?.close()
  }

  #begin(): Follow<E> {
    const { state } = this
    if (state === 'starting' || state === 'streaming' || state === 'reconnecting') {
      throw new Error('This stream is being read already; make another one')
    }
    this.#follow = new Follow(this.#address, this.#placeAfter(this.position), this.#options)
    return this.#follow
  }

  async *#eachOf(follow: Follow<E>): AsyncGenerator<E, void, undefined> {
    for await (const batch of this.#until(follow)) {
      for (const event of batch) {
        if (follow.isClosed) return
        this.#position = this.#positionOf(event)
        yield event
      }
    }
  }

  async *#batchesOf(follow: Follow<E>): AsyncGenerator<E[], void, undefined> {
    for await (const batch of this.#until(follow)) {
      this.#position = this.#positionOf(batch.at(-1)!)
      yield batch
    }
  }

  /** The batches until the signal says to leave. */
  async *#until(follow: Follow<E>): AsyncGenerator<E[], void, undefined> {
    const { signal } = this.#options
    if (signal?.aborted) return
    const leave = () => follow.close()
    signal?.addEventListener('abort', leave)
    this.#address.readers.add(follow)
    try {
      yield* follow.batches()
    } finally {
      this.#address.readers.delete(follow)
      signal?.removeEventListener('abort', leave)
    }
  }
}

/** A generator that waits cannot be left before it has something; this one's connection is closed at once. */
function leavable<T>(
  generator: AsyncGenerator<T, void, undefined>,
  follow: { close(): void },
): AsyncIterableIterator<T, void, undefined> {
  return {
    next: () => generator.next(),
    return: () => {
      follow.close()
      return generator.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
