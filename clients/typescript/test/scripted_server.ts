// An HTTP server that answers each request as the test says: for what a real server does only on a bad day.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listening } from './listening.js'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export class ScriptedServer {
  url = ''
  /** What was asked, in order. */
  readonly requests: IncomingMessage[] = []
  readonly #server: Server

  /** The last answer holds for all further requests. */
  constructor(...answers: Answer[]) {
    this.#server = createServer((request, response) => {
      const answer = answers[Math.min(this.requests.length, answers.length - 1)]!
      this.requests.push(request)
      answer(response, request)
    })
  }

  async listen(): Promise<this> {
    this.url = `http://127.0.0.1:${await listening(this.#server)}`
    return this
  }

  /** The positions that were asked for. */
  get positions(): (string | undefined)[] {
    return this.requests.map((request) => request.headers['last-event-id'] as string | undefined)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
}

export function place(after: number, head: number, resume = 'ok'): string {
  return `retry: 3000\n\nevent: stream\ndata: ${JSON.stringify({ resume, after, head })}\n\n`
}

/** The frames of the events with these numbers. */
export function frames(first: number, last: number, type = 'message'): string {
  let text = ''
  for (let number = first; number <= last; number += 1) text += frame(number, type)
  return text
}

export function frame(number: number, type = 'message', position = number): string {
  const data = { text: `word ${number} `, is_partial: true }
  const envelope = { type, data, timestamp: '2026-01-05T12:34:56.789Z', sequence: number, session_id: 's' }
  return `id: ${position}\ndata: ${JSON.stringify(envelope)}\n\n`
}

export const CLOSING = 'event: stream\ndata: {"closing":"shutdown"}\n\n'

/** Sends this and leaves the stream open. */
export function open(text: string): Answer {
  return (response) => {
    begin(response)
    response.write(text)
  }
}

/** Sends this and ends the stream properly. */
export function ended(text: string): Answer {
  return (response) => {
    begin(response)
    response.end(text)
  }
}

/** Sends this, and the connection breaks. */
export function broken(text: string): Answer {
  return (response) => {
    begin(response)
    response.write(text, () => response.destroy())
  }
}

export function problem(status: number, code: string): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ type: 'x', title: 'A title', status, detail: 'A sentence.', code }))
  }
}

export const nothing: Answer = (response) => {
  response.writeHead(204)
  response.end()
}
