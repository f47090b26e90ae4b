// A Holdfast server: its sessions, its agents, and the stream of all that happens.
import { Api, type Asked, type HoldfastOptions, type Ordered, type RequestOptions } from './api.js'
import { EventStream, type StreamOptions } from './events.js'
import { CombinedPlace } from './place.js'
import { Session } from './session.js'
import type {
  AgentInfo,
  AgentList,
  FolderList,
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
  Started,
  Waiting,
  WaitingList,
} from './types.js'

// An agent is started for it; it has 20 s to answer, and others may be asked before it.
const CHECK_MS = 120_000

export class Holdfast {
  readonly #api: Api

  constructor(options: HoldfastOptions = {}) {
    this.#api = new Api(options)
  }

  /** Starts a session, or a project's next run. A connection that breaks never starts two. */
  run(body: RunBody, options: Ordered = {}): Promise<Started> {
    return this.#api.request('POST', '/sessions/run', { ...options, body })
  }

  /** Asks nothing of the server yet. */
  session(id: string): Session {
    return new Session(this.#api, id)
  }

  /** One page, newest first. */
  sessions(query: SessionQuery = {}, options: Asked = {}): Promise<SessionList> {
    return this.#api.request('GET', '/sessions', { ...options, query: { ...query } })
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
}
