// One session: what it is, what it may be told, and its events.
import { type Api, type Asked, type Ordered, pause } from './api.js'
import { StreamLost } from './errors.js'
import { EventStream, type StreamOptions } from './events.js'
import { isDrop } from './follow.js'
import { Patience } from './patience.js'
import { SessionPlace } from './place.js'
import {
  type AnswerBody,
  type End,
  type Envelope,
  type FileList,
  type FileText,
  type ForkBody,
  type History,
  isActive,
  isTerminal,
  type ResumeBody,
  type SessionRecord,
  type Started,
  type TaskBody,
} from './types.js'

export interface SessionStreamOptions extends StreamOptions {
  /** false: without the pieces of texts that are complete. */
  partials?: boolean | undefined
}

export type EndOptions = Omit<StreamOptions, 'after'>

export interface HistoryOptions extends Asked {
  after?: number | undefined
  /** 1 to 1,000. */
  limit?: number | undefined
}

export interface FilesOptions extends Asked {
  /** Those that changed since this run began; without it, since the session did. */
  run?: number | undefined
}

export class Session {
  readonly id: string
  readonly #api: Api
  readonly #path: string

  constructor(api: Api, id: string) {
    this.id = id
    this.#api = api
    this.#path = `/sessions/${encodeURIComponent(id)}`
  }

  record(options: Asked = {}): Promise<SessionRecord> {
    return this.#api.request('GET', this.#path, options)
  }

  /** The session's next task, once its run has ended. */
  task(task: string, config?: Omit<TaskBody, 'task'>, options?: Ordered): Promise<Started>
  task(body: TaskBody, options?: Ordered): Promise<Started>
  task(given: string | TaskBody, second: object = {}, third: Ordered = {}): Promise<Started> {
    if (typeof given !== 'string') return this.#order('task', given, second)
    return this.#order('task', { ...second, task: given }, third)
  }

  /** Goes on with what was paused, cancelled or interrupted, failed or reached a limit. */
  resume(body: ResumeBody = {}, options: Ordered = {}): Promise<Started> {
    return this.#order('resume', body, options)
  }

  /** A new session that begins where this one stands, or stood after one of its runs. */
  fork(task: string, config?: Omit<ForkBody, 'task'>, options?: Ordered): Promise<Session>
  /** The same with the request's body as it is, and the answer as it is. */
  fork(body: ForkBody, options?: Ordered): Promise<Started>
  async fork(given: string | ForkBody, second: object = {}, third: Ordered = {}): Promise<Session | Started> {
    if (typeof given !== 'string') return this.#order('fork', given, second)
    const started = await this.#order<Started>('fork', { ...second, task: given }, third)
    return new Session(this.#api, started.session_id)
  }

  /** Ends the run; changes nothing if it has ended. */
  cancel(options: Ordered = {}): Promise<SessionRecord> {
    return this.#order('cancel', {}, options)
  }

  /** Ends the run so that it can go on later. */
  pause(options: Ordered = {}): Promise<SessionRecord> {
    return this.#order('pause', {}, options)
  }

  /** Gives up what a paused or interrupted session could still go on with. */
  discard(options: Ordered = {}): Promise<SessionRecord> {
    return this.#order('discard', {}, options)
  }

  /** Lets the run go on under another permission profile. */
  profile(name: string, options: Ordered = {}): Promise<SessionRecord> {
    return this.#order('profile', { profile: name }, options)
  }

  /** Answers a permission request or a question; the first answer wins. */
  answer(requestId: string, body: AnswerBody, options: Ordered = {}): Promise<SessionRecord> {
    return this.#order(`permissions/${encodeURIComponent(requestId)}/answer`, body, options)
  }

  /** One page of the events without partials. */
  history({ after, limit, signal }: HistoryOptions = {}): Promise<History> {
    return this.#api.request('GET', `${this.#path}/events/history`, { query: { after, limit }, signal })
  }

  /** All pages, one after the other; live events go on after the last one's `head`. */
  async *allHistory(options: HistoryOptions = {}): AsyncGenerator<History, void, undefined> {
    let after = options.after
    do {
      const page: History = await this.history({ limit: 1000, ...options, after })
      yield page
      after = page.next_after
    } while (after !== undefined)
  }

  /** The files of the workspace that have changed, the latest first. */
  files({ run, signal }: FilesOptions = {}): Promise<FileList> {
    return this.#api.request('GET', `${this.#path}/files`, { query: { run }, signal })
  }

  /** A file of the workspace, whole. */
  file(path: string, options: Asked = {}): Promise<Blob> {
    return this.#api.get(`${this.#path}/files/content`, { path }, (response) => response.blob(), options)
  }

  /** The beginning of a file that is a text. */
  fileText(path: string, options: Asked = {}): Promise<FileText> {
    const read = async (response: Response): Promise<FileText> => ({
      text: await response.text(),
      truncated: response.headers.get('x-holdfast-truncated') === 'true',
    })
    return this.#api.get(`${this.#path}/files/content`, { path, as: 'text' }, read, options)
  }

  /** Where a page that has the cookie can link to, for a download. */
  fileUrl(path: string): string {
    return this.#api.address(`${this.#path}/files/content`, { path })
  }

  /** The session as a file (JSON Lines), for `Holdfast.importSession`. */
  export(options: Asked = {}): Promise<Blob> {
    return this.#api.get(`${this.#path}/export`, {}, (response) => response.blob(), options)
  }

  /** The events, live, until the session is over; dropped connections are opened again by themselves. */
  events(options: SessionStreamOptions = {}): EventStream<Envelope> {
    const { partials = true } = options
    const address = this.#api.stream(`${this.#path}/events`, partials ? {} : { partials })
    return new EventStream(
      address,
      (after) => new SessionPlace(after ?? 0, partials),
      (event) => event.sequence,
      options,
    )
  }

  /**
   * Waits until the run that is under way has ended, and tells why; of a session that is over, why its last one did. A
   * server that is away is waited for, as by `events`.
   */
  async end(options: EndOptions = {}): Promise<End> {
    const found = await this.#patiently(() => this.#lastEndOrHead(options), options)
    if (typeof found !== 'number') return found
    const stream = this.events({ ...options, after: found, partials: false })
    for await (const batch of stream.batches()) {
      const end = batch.map(endOf).find((one) => one !== undefined)
      if (end !== undefined) return end
    }
    options.signal?.throwIfAborted()
    if (stream.state !== 'done') throw new Error('This client has been closed.')
    return this.end(options)
  }

  /** Why the last run ended; while one is under way, the position after which its end will come. */
  async #lastEndOrHead(options: Asked): Promise<End | number> {
    const { status, head } = await this.record({ signal: options.signal })
    return isActive(status) ? head : this.#lastEnd(head, options)
  }

  async #patiently<T>(ask: () => Promise<T>, options: EndOptions): Promise<T> {
    const patience = new Patience(options)
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!isDrop(error)) throw error
        const delayMs = patience.next()
        if (delayMs === undefined) throw new StreamLost(undefined, patience.tried.attempt, error)
        await pause(delayMs, options.signal)
      }
    }
  }

  /** It is the last event but for a few, since nothing of its run follows it. */
  async #lastEnd(head: number, { signal }: Asked): Promise<End> {
    for (let width = 20; ; width *= 10) {
      const after = Math.max(0, head - width)
      const ends: End[] = []
      for await (const page of this.allHistory({ after, signal })) {
        ends.push(...page.events.map(endOf).filter((found) => found !== undefined))
      }
      const last = ends.at(-1)
      if (last !== undefined) return last
      if (after === 0) throw new Error(`The session ${this.id} is over without an end in its log`)
    }
  }

  #order<T>(command: string, body: unknown, options: Ordered): Promise<T> {
    return this.#api.request('POST', `${this.#path}/${command}`, { ...options, body })
  }
}

function endOf(event: Envelope): End | undefined {
  if (!isTerminal(event)) return undefined
  const { type, data, sequence, timestamp } = event
  return { ...data, type, sequence, timestamp } as End
}
