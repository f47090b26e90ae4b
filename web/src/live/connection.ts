// How the stream stands, as the screen tells it [R159–R163].
import type { StreamState } from 'holdfast-client'
import type { Observable } from './observable'

export interface Connection {
  state: StreamState
  /** Which attempt to reconnect this is, from 1; 0 while all is well. */
  attempt: number
  /** When the next attempt comes (ms since 1970), while `reconnecting`. */
  retryAt: number | null
  /** Why it does not work, in the server's or the browser's words. */
  reason: string | null
  /** The server does not let us in: log in. */
  isUnauthorized: boolean
}

export const IDLE: Connection = { state: 'idle', attempt: 0, retryAt: null, reason: null, isUnauthorized: false }

/** Calls back each time the stream is open, also again, with how it stood before. */
export function onStreaming(connection: Observable<Connection>, opened: (before: StreamState) => void): () => void {
  let before = connection.get().state
  return connection.subscribe(() => {
    const { state } = connection.get()
    if (state === 'streaming' && before !== 'streaming') opened(before)
    before = state
  })
}
