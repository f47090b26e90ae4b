// The logs of the sessions that are on this page, fed by the one feed and let go some time after nobody looks.
import type { Holdfast, PositionedEnvelope } from 'holdfast-client'
import { onStreaming } from './connection'
import type { Feed } from './feed'
import { SessionLog } from './log'

// Going back to a session that was left a moment ago shows it at once.
const KEPT = 5

interface Entry {
  log: SessionLog
  watchers: number
}

export class Logs {
  readonly #client: Holdfast
  readonly #entries = new Map<string, Entry>()

  constructor(client: Holdfast, feed: Feed) {
    this.#client = client
    feed.subscribe((events) => this.#offer(events))
    // A stream may begin later than a log was read, and a log that failed to load must try again.
    onStreaming(feed.connection, () => this.#catchUp())
    document.addEventListener('visibilitychange', () => {
      // A tab that was frozen may not have heard what the leading tab said.
      if (document.visibilityState === 'visible') this.#catchUp()
    })
  }

  /** Call `close` with the same id when it is no longer looked at. */
  open(id: string): SessionLog {
    let entry = this.#entries.get(id)
    if (!entry) {
      entry = { log: new SessionLog(this.#client, id), watchers: 0 }
      this.#entries.set(id, entry)
    }
    // Also one that was kept: what this page has missed meanwhile, asleep or cut off, nobody has fetched for it.
    if (entry.watchers === 0) void entry.log.catchUp()
    // The newest stands last, so that the oldest is the first to go.
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    entry.watchers += 1
    return entry.log
  }

  close(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    entry.watchers -= 1
    const idle = [...this.#entries].filter(([, { watchers }]) => watchers === 0)
    for (const [other, { log }] of idle.slice(0, Math.max(0, idle.length - KEPT))) {
      log.close()
      this.#entries.delete(other)
    }
  }

  #catchUp(): void {
    for (const { log, watchers } of this.#entries.values()) if (watchers > 0) void log.catchUp()
  }

  #offer(events: readonly PositionedEnvelope[]): void {
    const bySession = new Map<string, PositionedEnvelope[]>()
    for (const event of events) {
      const known = bySession.get(event.session_id)
      if (known) known.push(event)
      else bySession.set(event.session_id, [event])
    }
    for (const [id, own] of bySession) this.#entries.get(id)?.log.offer(own)
  }
}
