// Readable names for the shapes of the API; every one is made from the generated document, none is written anew.
import type { components } from './api.generated.js'

type Schemas = components['schemas']

/** What the server answers: a field that is not set is absent, never null. */
type Answered<T> = T extends readonly (infer Item)[]
  ? Answered<Item>[]
  : T extends object
    ? { [Name in keyof T]: Answered<Exclude<T[Name], null>> }
    : T

/** What a caller sends: a field may be left out or undefined, which JSON leaves out. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [Name in keyof T]: Sent<Exclude<T[Name], null>> | (undefined extends T[Name] ? undefined : never) }
    : T

// Events

/** One event of a session's log; `type` says which `data` it has. */
export type Envelope = Answered<Schemas['Envelope']>
export type EventType = Envelope['type']
/** The events of these types: `EventOf<'message'>`. */
export type EventOf<Type extends EventType> = Extract<Envelope, { type: Type }>
export type EventData<Type extends EventType> = EventOf<Type>['data']
/** An event of the combined stream: `position` is its place there, for `after`. */
export type PositionedEnvelope = Envelope & { session_id: string; position: number }

export type TerminalType = 'agent_complete' | 'error' | 'cancelled'
/** Why and how a run ended: the terminal event's data, with where it stands in the log. */
export type End = {
  [Type in TerminalType]: EventData<Type> & { type: Type; sequence: number; timestamp: string }
}[TerminalType]

export interface TerminationInfo extends Answered<Schemas['TerminationInfo']> {}
export interface Stderr extends Answered<Schemas['Stderr']> {}
export type StopReason = Schemas['AgentComplete']['stop_reason']
export interface Todo extends Answered<Schemas['Todo']> {}
export interface Attachment extends Answered<Schemas['Attachment']> {}
export interface Choice extends Answered<Schemas['Choice']> {}
export interface PermissionRequest extends Answered<Schemas['PermissionRequest']> {}
export interface PermissionOption extends Answered<Schemas['PermissionOption']> {}
export interface PermissionResolved extends Answered<Schemas['PermissionResolved']> {}
export interface Question extends Answered<Schemas['Question']> {}
export interface QuestionItem extends Answered<Schemas['QuestionItem']> {}

// Sessions

/** A session as it stands; called Record in the API, a name that TypeScript has taken. */
export interface SessionRecord extends Answered<Schemas['Record']> {}
export type SessionStatus = SessionRecord['status']
export interface WaitingOn extends Answered<Schemas['WaitingOn']> {}
export interface ForkedFrom extends Answered<Schemas['ForkedFrom']> {}
export interface Started extends Answered<Schemas['Started']> {}
export interface SessionList extends Answered<Schemas['SessionList']> {}
export interface RecoverableList extends Answered<Schemas['RecoverableList']> {}
export interface History extends Answered<Schemas['History']> {}

export interface FileList extends Answered<Schemas['FileList']> {}
export interface ChangedFile extends Answered<Schemas['ChangedFile']> {}
/** The beginning of a file; `truncated` if there is more of it. */
export interface FileText {
  text: string
  truncated: boolean
}

/** What waits for a person's answer, and where it comes from. */
export type Waiting = Omit<Answered<Schemas['Waiting']>, 'type' | 'request'> &
  ({ type: 'permission_request'; request: PermissionRequest } | { type: 'question'; request: Question })
export interface WaitingList {
  permissions: Waiting[]
}

export interface RunBody extends Sent<Schemas['RunBody']> {}
export interface StartConfig extends Sent<Schemas['StartConfig']> {}
export interface TaskBody extends Sent<Schemas['TaskBody']> {}
export interface ResumeBody extends Sent<Schemas['ResumeBody']> {}
export interface ForkBody extends Sent<Schemas['ForkBody']> {}
export interface AnswerBody extends Sent<Schemas['AnswerBody']> {}
export interface GivenAttachment extends Sent<Schemas['GivenAttachment']> {}
export type Decision = Exclude<AnswerBody['decision'], undefined>

export interface SessionQuery {
  status?: SessionStatus | readonly SessionStatus[] | undefined
  agent?: string | readonly string[] | undefined
  project_id?: string | readonly string[] | undefined
  /** Words that must all occur. */
  q?: string | undefined
  limit?: number | undefined
  /** The `next` of the page before. */
  before?: string | undefined
}

export interface UsageReport extends Answered<Schemas['UsageReport']> {}
export interface UsageSum extends Answered<Schemas['UsageSum']> {}
export interface UsageQuery {
  by?: 'agent' | 'project' | 'model' | 'day' | 'session' | undefined
  since?: string | undefined
  until?: string | undefined
}

// The server, its agents, and what a task can be given

export interface Me extends Answered<Schemas['Me']> {}
export interface ProfileInfo extends Answered<Schemas['ProfileInfo']> {}
export interface ProfileList extends Answered<Schemas['ProfileList']> {}
export interface Project extends Answered<Schemas['Project']> {}
export interface ProjectList extends Answered<Schemas['ProjectList']> {}
export interface FolderList extends Answered<Schemas['FolderList']> {}
export interface Health extends Answered<Schemas['Health']> {}
export interface AuthStatus extends Answered<Schemas['AuthStatus']> {}
export interface AgentInfo extends Answered<Schemas['AgentInfo']> {}
export interface AgentCapabilities extends Answered<Schemas['AgentCapabilities']> {}
export interface AgentModel extends Answered<Schemas['AgentModel']> {}
export interface AgentAccount extends Answered<Schemas['AgentAccount']> {}
export interface AuthMethod extends Answered<Schemas['AuthMethod']> {}
export interface AgentList extends Answered<Schemas['AgentList']> {}
export interface Problem extends Answered<Schemas['Problem']> {}

const TERMINAL: ReadonlySet<string> = new Set<TerminalType>(['agent_complete', 'error', 'cancelled'])

/** Whether the event ends its run. */
export function isTerminal<E extends Envelope>(event: E): event is E & EventOf<TerminalType> {
  return TERMINAL.has(event.type)
}

const ACTIVE: ReadonlySet<string> = new Set<SessionStatus>(['pending', 'running', 'waiting'])

/** Whether a session of this status has a run under way. */
export function isActive(status: SessionStatus): boolean {
  return ACTIVE.has(status)
}
