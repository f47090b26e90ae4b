// A session as it stood after each of its events. Going on folds what is new; going back begins at a checkpoint.
import type { Envelope } from 'holdfast-client'
import { EMPTY, fold } from '@/fold/fold'
import type { Conversation } from '@/fold/model'

// A checkpoint keeps a list of references, and 500 events are folded in a few milliseconds.
const EVERY = 500

export class Replay {
  #events: readonly Envelope[] = []
  /** The conversation after the first `EVERY * index` events. */
  readonly #checkpoints: Conversation[] = [EMPTY]
  #folded = 0
  #conversation = EMPTY

  constructor(events: readonly Envelope[] = []) {
    this.extend(events)
  }

  get events(): readonly Envelope[] {
    return this.#events
  }

  /** What came since. */
  extend(events: readonly Envelope[]): void {
    if (events.length > 0) this.#events = [...this.#events, ...events]
  }

  /** The conversation after the first `count` events. */
  after(count: number): Conversation {
    const wanted = Math.max(0, Math.min(count, this.#events.length))
    const checkpoint = Math.min(Math.floor(wanted / EVERY), this.#checkpoints.length - 1)
    if (this.#folded > wanted || this.#folded < checkpoint * EVERY) {
      this.#folded = checkpoint * EVERY
      this.#conversation = this.#checkpoints[checkpoint]!
    }
    while (this.#folded < wanted) {
      const next = Math.min(wanted, (Math.floor(this.#folded / EVERY) + 1) * EVERY)
      this.#conversation = fold(this.#conversation, this.#events.slice(this.#folded, next))
      this.#folded = next
      if (next === this.#checkpoints.length * EVERY) this.#checkpoints.push(this.#conversation)
    }
    return this.#conversation
  }

  /** As it stands now. */
  whole(): Conversation {
    return this.after(this.#events.length)
  }
}
