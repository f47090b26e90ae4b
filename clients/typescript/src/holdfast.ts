// A Holdfast server: its sessions, its agents, and the stream of all that happens.
import { Api, type Asked, type HoldfastOptions, type Ordered, type RequestOptions } from './api.js'
import { HoldfastError } from './errors.js'
import { EventStream, type StreamOptions } from './events.js'
import { CombinedPlace } from './place.js'
import { Session } from './session.js'
import type {
  AgentInfo,
  AgentList,
  FolderList,
  GivenAttachment,
  Health,
  Me,
  PositionedEnvelope,
  ProfileInfo,
  ProfileList,
  Project,
  ProjectList,
  RecoverableList,
  RunBody,
  SessionList,
  SessionQuery,
  SessionRecord,
  StartConfig,
  Started,
  UsageQuery,
  UsageReport,
  Waiting,
  WaitingList,
} from './types.js'

// An agent is started for it; it has 20 s to answer, and others may be asked before it.
const CHECK_MS = 120_000
// An id is a UUID; what is shorter is the beginning of one.
const ID_LENGTH = 36
const SHOWN_IDS = 5

/** What a run is given beside its task. */
export interface RunOptions extends StartConfig {
  attachments?: GivenAttachment[] | undefined
}

export class Holdfast {
  readonly #api: Api

  constructor(options: HoldfastOptions = {}) {
    this.#api = new Api(options)
  }

  /** Starts a session, or a project's next run. A connection that breaks never starts two. */
  run(task: string, config?: RunOptions, options?: Ordered): Promise<Session>
  /** The same with the request's body as it is, and the answer as it is. */
  run(body: RunBody, options?: Ordered): Promise<Started>
  async run(
    given: string | RunBody,
    second: RunOptions | Ordered = {},
    third: Ordered = {},
  ): Promise<Session | Started> {
    if (typeof given !== 'string') return this.#run(given, second as Ordered)
    const { attachments, ...config } = second as RunOptions
    const started = await this.#run({ task: given, config, ...(attachments && { attachments }) }, third)
    return this.session(started.session_id)
  }

  /** Asks nothing of the server yet. */
  session(id: string): Session {
    return new Session(this.#api, id)
  }

  /** The session with this id, or the only one whose id begins so; throws `not_found` or `ambiguous_id`. */
  async find(prefix: string, options: Asked = {}): Promise<Session> {
    if (prefix === '') throw refused('bad_request', 400, 'Bad request', 'The id is empty.')
    if (prefix.length >= ID_LENGTH) {
      const session = this.session(prefix.toLowerCase())
      await session.record(options)
      return session
    }
    const found: string[] = []
    for await (const { session_id } of this.allSessions({}, options)) {
      if (session_id.startsWith(prefix.toLowerCase())) found.push(session_id)
    }
    const [only] = found
    if (only === undefined) {
      throw refused('not_found', 404, 'Not found', `There is no session whose id begins with '${prefix}'.`)
    }
    if (found.length === 1) return this.session(only)
    const shown = found.slice(0, SHOWN_IDS).join(', ') + (found.length > SHOWN_IDS ? ', …' : '')
    throw refused('ambiguous_id', 409, 'Ambiguous id', `${found.length} sessions begin with '${prefix}': ${shown}.`)
  }

  /** One page, newest first. */
  sessions(query: SessionQuery = {}, options: Asked = {}): Promise<SessionList> {
    return this.#api.request('GET', '/sessions', { ...options, query: { ...query } })
  }

  /** Every session that fits, newest first, page by page. */
  async *allSessions(
    query: Omit<SessionQuery, 'limit' | 'before'> = {},
    options: Asked = {},
  ): AsyncGenerator<SessionRecord, void, undefined> {
    let before: string | undefined
    do {
      const page: SessionList = await this.sessions({ ...query, limit: 200, before }, options)
      yield* page.sessions
      before = page.next
    } while (before !== undefined)
  }

  /** A copy of a session that was exported, here or elsewhere. */
  async importSession(file: Blob, options: Ordered = {}): Promise<Session> {
    const started = await this.#api.request<Started>('POST', '/sessions/import', { ...options, body: file })
    return this.session(started.session_id)
  }

  /** What the runs that have ended cost, in all and in parts; `since` and `until` are times or days in UTC. */
  usage({ by, since, until }: UsageQuery = {}, options: Asked = {}): Promise<UsageReport> {
    return this.#api.request('GET', '/usage', { ...options, query: { by, since, until } })
  }

  /** Those that were interrupted or paused and can go on. */
  async recoverable(options: Asked = {}): Promise<SessionRecord[]> {
    return (await this.#api.request<RecoverableList>('GET', '/sessions/recoverable', options)).sessions
  }

  /** What waits for an answer, over all sessions, the oldest first. */
  async permissions(options: Asked = {}): Promise<Waiting[]> {
    return (await this.#api.request<WaitingList>('GET', '/permissions', options)).permissions
  }

  async agents(options: Asked = {}): Promise<AgentInfo[]> {
    return (await this.#api.request<AgentList>('GET', '/agents', options)).agents
  }

  agent(name: string, options: Asked = {}): Promise<AgentInfo> {
    return this.#api.request('GET', `/agents/${encodeURIComponent(name)}`, options)
  }

  /** What the agent itself says; it is started for that. */
  checkAgent(name: string, options: Asked = {}): Promise<AgentInfo> {
    return this.#api.request('POST', `/agents/${encodeURIComponent(name)}/check`, { ...options, timeoutMs: CHECK_MS })
  }

  /** Without a credential it says little, but it answers. */
  health(options: Asked = {}): Promise<Health> {
    return this.#api.request('GET', '/health', options)
  }

  /** The permission profiles there are. */
  async profiles(options: Asked = {}): Promise<ProfileInfo[]> {
    return (await this.#api.request<ProfileList>('GET', '/profiles', options)).profiles
  }

  /** Those with the latest news first. */
  async projects(options: Asked = {}): Promise<Project[]> {
    return (await this.#api.request<ProjectList>('GET', '/projects', options)).projects
  }

  /** The folders in a folder of the server's machine; without a path, in its user's home. */
  folders(path?: string, options: Asked = {}): Promise<FolderList> {
    return this.#api.request('GET', '/folders', { ...options, query: { path } })
  }

  /** Sets the browser's cookie by a token. */
  login(token: string, options: Asked = {}): Promise<void> {
    return this.#api.request('POST', '/login', { ...options, body: { token } })
  }

  /** Takes the browser's cookie away. */
  logout(options: Asked = {}): Promise<void> {
    return this.#api.request('POST', '/logout', options)
  }

  /** Who is asking. */
  me(options: Asked = {}): Promise<Me> {
    return this.#api.request('GET', '/me', options)
  }

  /** All of the caller's sessions in one stream, from now on or after a position; it never ends by itself. */
  events(options: StreamOptions = {}): EventStream<PositionedEnvelope> {
    return new EventStream(
      this.#api.stream('/events'),
      (after) => new CombinedPlace(after),
      (event) => event.position,
      options,
    )
  }

  /** Any other route; `path` stands below /api/v1. */
  request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return this.#api.request(method, path, options)
  }

  /** Ends all streams that are being read; their loops end as if they had been left. */
  close(): void {
    this.#api.closeStreams()
  }

  #run(body: RunBody, options: Ordered): Promise<Started> {
    return this.#api.request('POST', '/sessions/run', { ...options, body })
  }
}

/** An error that the client itself states, in the shape of the server's. */
function refused(code: string, status: number, title: string, detail: string): HoldfastError {
  return new HoldfastError({ code, status, title, detail })
}
