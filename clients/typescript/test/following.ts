// A session's stream against a scripted server, and what it told: shared by the tests of streams.
import { once } from 'node:events'
import { afterEach } from 'vitest'
import {
  type Envelope,
  Holdfast,
  type SessionStreamOptions,
  type StreamInfo,
  type StreamNotice,
  type StreamState,
} from '../src/index.js'
import { type Answer, frame, ScriptedServer } from './scripted_server.js'

/** Delays that nobody has to wait for. */
export const SHORT = [1, 2, 3, 4, 5]
const servers: ScriptedServer[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Is closed when the test is over. */
export async function serve(...answers: Answer[]): Promise<ScriptedServer> {
  const server = await new ScriptedServer(...answers).listen()
  servers.push(server)
  return server
}

export function follow(url: string, options: SessionStreamOptions = {}) {
  const told: [StreamState, StreamInfo][] = []
  const notices: StreamNotice[] = []
  const stream = new Holdfast({ url }).session('s').events({
    delays: SHORT,
    onState: (state, info) => told.push([state, info]),
    onNotice: (notice) => notices.push(notice),
    ...options,
  })
  const states = () => told.map(([state]) => state)
  return { stream, told, notices, states }
}

export async function numbersOf(stream: AsyncIterable<Envelope>): Promise<number[]> {
  const numbers: number[] = []
  for await (const event of stream) numbers.push(event.sequence)
  return numbers
}

/** The same answer, and the moment at which its connection is closed. */
export function watched(answer: Answer): { answer: Answer; closed(): Promise<unknown> } {
  let closed: Promise<unknown> = Promise.reject(new Error('nobody has asked yet'))
  closed.catch(() => {})
  return {
    answer: (response, request) => {
      closed = once(response, 'close')
      answer(response, request)
    },
    closed: () => closed,
  }
}

/** The frame of a terminal event. */
export const end = (number: number) => frame(number, 'agent_complete')
