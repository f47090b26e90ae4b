// Requests to one server: addresses, credential, errors translated, and POSTs that may be repeated safely.
import { foreign, HoldfastError, NetworkError, refusal } from './errors.js'
import type { StreamAddress } from './follow.js'
import { isLoopback, ownToken, type Variables, variables } from './machine.js'

export interface HoldfastOptions {
  /** Where the server is. By default a page's own origin (''); outside of pages HOLDFAST_URL, else this machine. */
  url?: string | undefined
  /**
   * Left out by pages that have the cookie. Outside of pages, by default HOLDFAST_TOKEN, else (for this machine's server
   * only) the one in the data folder.
   */
  token?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** Before each repetition of a POST that got no answer, in milliseconds. */
  repeatDelays?: readonly number[] | undefined
}

export type QueryValue = string | number | boolean
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>

export interface Asked {
  signal?: AbortSignal | undefined
}

export interface Ordered extends Asked {
  /** The same key and body take effect once; without one, each call gets its own. */
  idempotencyKey?: string | undefined
}

export interface RequestOptions extends Ordered {
  query?: Query | undefined
  /** A Blob goes as it is, anything else as JSON. */
  body?: unknown
  /** For all repetitions together. */
  timeoutMs?: number | undefined
}

const ROOT = '/api/v1'
const HERE = 'http://127.0.0.1:4653'
// A server that is restarted is back within these.
const REPEAT_DELAYS = [250, 500, 1_000, 2_000, 4_000]
// A connection that was kept may have been closed meanwhile; where nobody listens, that is known at once.
const READ_AGAIN = [0]
// A cancel takes up to 3 s by contract; everything else answers at once.
const TIMEOUT_MS = 60_000
// A file has up to 100 MB.
const DOWNLOAD_MS = 3_600_000
// Attachments come in the body: a phone's uplink gets the time that it needs, at 50 kB/s.
const BYTES_PER_MS = 50

export class Api {
  readonly #url: string
  readonly #token: string | undefined
  readonly #fetch: typeof globalThis.fetch
  readonly #repeatDelays: readonly number[]
  readonly #readers = new Set<{ close(): void }>()

  constructor({ url, token, fetch, repeatDelays = REPEAT_DELAYS }: HoldfastOptions) {
    const environment = variables()
    this.#url = (url ?? (environment ? environment.HOLDFAST_URL || HERE : '')).replace(/\/+$/, '')
    this.#token = token ?? (environment && (environment.HOLDFAST_TOKEN || this.#ownToken(environment)))
    // A browser's fetch wants to be called on the window.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
    this.#repeatDelays = repeatDelays
  }

  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const isOrder = method === 'POST'
    const headers = this.#headers()
    if (isOrder) headers.set('idempotency-key', options.idempotencyKey ?? newKey())
    const { body, type, size } = sent(options.body)
    if (type !== undefined) headers.set('content-type', type)
    const timeoutMs = (options.timeoutMs ?? TIMEOUT_MS) + size / BYTES_PER_MS
    const giveUpAt = Date.now() + timeoutMs
    const url = this.address(path, options.query)
    for (let repeated = 0; ; repeated += 1) {
      try {
        const init = { method, headers, ...(body !== undefined && { body }) }
        return await this.#once(url, init, giveUpAt - Date.now(), options, json<T>)
      } catch (error) {
        const delayMs = (isOrder ? this.#repeatDelays : method === 'GET' ? READ_AGAIN : [])[repeated]
        const isLate = delayMs === undefined || Date.now() + delayMs >= giveUpAt
        if (isLate || !(isOrder ? isPassing(error) : error instanceof NetworkError)) throw error
        await pause(delayMs, options.signal)
      }
    }
  }

  /** What is no JSON: `read` makes of the answer what the caller wants. */
  get<T>(path: string, query: Query, read: (response: Response) => Promise<T>, options: Asked): Promise<T> {
    return this.#once(this.address(path, query), { headers: this.#headers() }, DOWNLOAD_MS, options, read)
  }

  /** How to open a stream. */
  stream(path: string, query?: Query): StreamAddress {
    return {
      readers: this.#readers,
      fetch: this.#fetch,
      url: this.address(path, query),
      headers: (after) => {
        const headers = this.#headers()
        headers.set('accept', 'text/event-stream')
        if (after !== undefined) headers.set('last-event-id', String(after))
        return headers
      },
    }
  }

  /** Ends all streams that are being read. */
  closeStreams(): void {
    for (const reader of [...this.#readers]) reader.close()
  }

  /** Where that is; never with a credential. */
  address(path: string, query: Query = {}): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) search.append(name, String(one))
      }
    }
    return `${this.#url}${ROOT}${path}${search.size > 0 ? `?${search}` : ''}`
  }

  async #once<T>(
    url: string,
    init: RequestInit,
    timeoutMs: number,
    { signal }: Asked,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const abort = new AbortController()
    const leave = () => abort.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    try {
      const response = await this.#fetch(url, { ...init, signal: abort.signal, cache: 'no-store' })
      if (!response.ok) throw await refusal(response)
      return await read(response)
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof HoldfastError) throw cause
      const why = abort.signal.aborted ? 'did not answer in time' : 'does not answer'
      throw new NetworkError(`The server${this.#url && ` at ${this.#url}`} ${why}`, { cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }

  #ownToken(environment: Variables): string | undefined {
    return isLoopback(this.#url) ? ownToken(environment) : undefined
  }

  #headers(): Headers {
    return new Headers(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` })
  }
}

/** A body as it goes over the wire. */
function sent(body: unknown): { body?: Blob | string; type?: string; size: number } {
  if (body === undefined) return { size: 0 }
  if (body instanceof Blob) return { body, type: 'application/jsonl', size: body.size }
  const text = JSON.stringify(body)
  return { body: text, type: 'application/json', size: text.length }
}

/** The value of an answer; undefined if it has no body. */
async function json<T>(response: Response): Promise<T> {
  const text = await response.text()
  try {
    return text === '' ? (undefined as T) : JSON.parse(text)
  } catch {
    throw foreign(response.status)
  }
}

/** Whether the same request may be answered a moment later. With 503 nothing was written. */
function isPassing(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof HoldfastError && error.status === 503)
}

function newKey(): string {
  // Pages on plain http that are not localhost have no randomUUID.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
