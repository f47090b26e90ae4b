// What the tabs of one browser tell each other, and which of them leads.
import type { PositionedEnvelope } from 'holdfast-client'
import type { Connection } from './connection'

export type Message =
  | { kind: 'events'; events: readonly PositionedEnvelope[] }
  | { kind: 'connection'; connection: Connection }
  | { kind: 'hello' }
  | { kind: 'retry' }

export interface TabChannel {
  tell(message: Message): void
  close(): void
}

const NAME = 'holdfast'

export function openChannel(hear: (message: Message) => void): TabChannel {
  // Pages of plain http on another machine have no locks; each of their tabs leads, and has nobody to tell.
  if (!('locks' in navigator)) return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = (event: MessageEvent<Message>) => hear(event.data)
  return { tell: (message) => channel.postMessage(message), close: () => channel.close() }
}

/** Runs `lead` once this tab is the leading one, until the signal says to stop. */
export async function whileLeading(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) {
    await lead(signal)
    return
  }
  try {
    await navigator.locks.request(NAME, { signal }, () => lead(signal))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
