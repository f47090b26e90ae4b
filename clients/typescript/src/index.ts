// What a program that talks to a Holdfast server needs.
export type { Asked, HoldfastOptions, Ordered, Query, RequestOptions } from './api.js'
export { type ErrorCode, HoldfastError, NetworkError, StreamLost } from './errors.js'
export { EventStream, type StreamOptions } from './events.js'
export type { FollowOptions, StreamInfo, StreamState } from './follow.js'
export { Holdfast, type RunOptions } from './holdfast.js'
export type { PatienceOptions } from './patience.js'
export type { StreamNotice } from './place.js'
export {
  type EndOptions,
  type FilesOptions,
  type HistoryOptions,
  Session,
  type SessionStreamOptions,
} from './session.js'
export { type Frame, SseParser } from './sse.js'
export * from './types.js'
