// What can go wrong between a client and a server; callers branch on `code`.
//
// HoldfastError          the server refused: its code, HTTP status, title and detail
// ├── NetworkError       no answer came at all (`unreachable`)
// └── StreamLost         a stream broke and could not be opened again (`stream_lost`)
import type { Problem } from './types.js'

/** The codes that clients branch on; a newer server may have more. */
export type ErrorCode =
  | 'bad_request'
  | 'not_resumable'
  | 'unauthorized'
  | 'forbidden_origin'
  | 'not_found'
  | 'method_not_allowed'
  | 'project_busy'
  | 'session_busy'
  | 'project_paused'
  | 'already_answered'
  | 'idempotency_mismatch'
  | 'body_too_large'
  | 'file_too_large'
  | 'not_text'
  | 'wrong_host'
  | 'unknown_agent'
  | 'unknown_profile'
  | 'unsupported'
  | 'bad_workspace'
  | 'shutting_down'
  | 'agent_unreachable'
  | 'store_unavailable'
  | 'store_full'
  | 'internal'
  | 'foreign'
  | 'ambiguous_id'
  | 'unreachable'
  | 'stream_lost'
  | (string & {})

export interface ErrorFields {
  code: ErrorCode
  /** The HTTP status; 0 if there was no answer. */
  status: number
  title: string
  /** One sentence that names the offending value. */
  detail: string
}

export class HoldfastError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly detail: string

  constructor(fields: ErrorFields, options?: ErrorOptions) {
    super(fields.detail || fields.title, options)
    this.name = new.target.name
    this.code = fields.code
    this.status = fields.status
    this.title = fields.title
    this.detail = fields.detail
  }
}

/** The request never got an answer: no server, no network, or the connection broke on the way. */
export class NetworkError extends HoldfastError {
  constructor(detail: string, options?: ErrorOptions) {
    super({ code: 'unreachable', status: 0, title: 'No server answers', detail }, options)
  }
}

/** A stream could not be opened again; whoever follows anew with `after: position` misses nothing. */
export class StreamLost extends HoldfastError {
  /** The last one that was received; undefined if the combined stream had not begun. */
  readonly position: number | undefined
  readonly attempts: number

  constructor(position: number | undefined, attempts: number, cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    const detail = `The stream broke and could not be opened again in ${attempts} attempts${why}`
    super({ code: 'stream_lost', status: 0, title: 'The stream is lost', detail }, { cause })
    this.position = position
    this.attempts = attempts
  }
}

/** The error in an answer, whatever stands behind the address. */
export async function refusal(response: Response): Promise<HoldfastError> {
  const { status } = response
  let problem: Partial<Problem> | undefined
  try {
    problem = JSON.parse(await response.text())
  } catch {
    // Not JSON, or the body broke off: the status has to say it all.
  }
  if (typeof problem?.code === 'string') {
    return new HoldfastError({ code: problem.code, status, title: problem.title ?? '', detail: problem.detail ?? '' })
  }
  return foreign(status)
}

/** What is at the address speaks HTTP, but not our protocol: a proxy, or another program on the port. */
export function foreign(status: number): HoldfastError {
  const detail = `The address does not answer like a Holdfast server (HTTP ${status})`
  return new HoldfastError({ code: 'foreign', status, title: 'Foreign answer', detail })
}
