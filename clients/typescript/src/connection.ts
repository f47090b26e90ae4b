// One connection of a stream: opened once, read until it ends or breaks, and given up if nothing is heard of it.
import { type HoldfastError, NetworkError, refusal } from './errors.js'

export class Connection {
  readonly #abort = new AbortController()
  readonly #quietMs: number
  #response: Response | undefined
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  // Since when something is awaited of the network; undefined while whoever reads is busy with what came.
  #waitingSince: number | undefined

  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  /** The answer's beginning; throws NetworkError if none comes. */
  async open(fetch: typeof globalThis.fetch, url: string, headers: Headers): Promise<Response> {
    const signal = this.#abort.signal
    this.#response = await this.#heard(fetch(url, { headers, signal, cache: 'no-store' }))
    return this.#response
  }

  /** The next bytes; undefined when the server has ended the stream properly. Throws NetworkError if it broke. */
  async read(): Promise<Uint8Array | undefined> {
    this.#reader ??= this.#response?.body?.getReader()
    if (this.#reader === undefined) return undefined
    return (await this.#heard(this.#reader.read())).value
  }

  /** What the server refused with, if it did. */
  async refusal(response: Response): Promise<HoldfastError> {
    return await this.#heard(refusal(response))
  }

  /** How long nothing has come although it was awaited, in milliseconds. */
  get silenceMs(): number {
    return this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince
  }

  /** Ends it at once; who waits for it hears `reason`. */
  close(reason: Error = new NetworkError('The stream was closed')): void {
    this.#abort.abort(reason)
  }

  async #heard<T>(coming: Promise<T>): Promise<T> {
    this.#waitingSince = Date.now()
    const giveUp = () => this.close(new NetworkError(`Nothing was heard for ${this.#quietMs / 1000} s`))
    const timer = setTimeout(giveUp, this.#quietMs)
    try {
      return await coming
    } catch (cause) {
      const reason: unknown = this.#abort.signal.reason
      if (reason instanceof NetworkError) throw reason
      throw new NetworkError('The connection broke', { cause })
    } finally {
      clearTimeout(timer)
      this.#waitingSince = undefined
    }
  }
}
