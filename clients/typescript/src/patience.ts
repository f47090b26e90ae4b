// How often, and how long, something that did not work is tried again. Pure but for the clock.

export interface PatienceOptions {
  /**
   * Before each attempt to open the stream again, in milliseconds; given without `giveUpAfterMs`, there are as many
   * attempts as there are delays, otherwise the last one counts for all that follow.
   */
  delays?: readonly number[] | undefined
  /** How long a server may be away before StreamLost is thrown; without it and without `delays` there is no limit. */
  giveUpAfterMs?: number | undefined
}

// Between two tries at most, unless the server asks for something else.
const LONGEST_MS = 3_000

/** What was tried in vain, since when. */
export interface Tried {
  attempt: number
  since: number | undefined
}

export class Patience {
  readonly #delays: readonly number[] | undefined
  readonly #giveUpAfterMs: number | undefined
  tried: Tried = { attempt: 0, since: undefined }
  longestMs = LONGEST_MS

  constructor({ delays, giveUpAfterMs }: PatienceOptions) {
    this.#delays = delays
    this.#giveUpAfterMs = giveUpAfterMs ?? (delays ? undefined : Number.POSITIVE_INFINITY)
  }

  /** It worked: the next trouble is a new one. */
  reset(): void {
    this.tried = { attempt: 0, since: undefined }
  }

  /** Counts one more attempt; answers how long to wait before it, or undefined if there is none. */
  next(): number | undefined {
    const { attempt, since = Date.now() } = this.tried
    const delayMs = this.#delay(attempt, since)
    if (delayMs !== undefined) this.tried = { attempt: attempt + 1, since }
    return delayMs
  }

  #delay(attempt: number, since: number): number | undefined {
    if (this.#giveUpAfterMs === undefined) return this.#delays?.[attempt]
    const leftMs = since + this.#giveUpAfterMs - Date.now()
    return leftMs > 0 ? Math.min(this.#usual(attempt), leftMs) : undefined
  }

  #usual(attempt: number): number {
    if (this.#delays !== undefined) return this.#delays[attempt] ?? this.#delays.at(-1) ?? 0
    return Math.min(100 * 2 ** attempt, this.longestMs)
  }
}
