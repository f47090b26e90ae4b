// Builds the log of a session for tests: events with their sequence and time, one after the other.
import type { Envelope, EventData, EventType } from 'holdfast-client'

const BEGINNING = Date.parse('2026-01-05T12:00:00.000Z')

export class Log {
  readonly events: Envelope[] = []
  #head: number
  #at: number

  /** The first event comes after `head`. */
  constructor(head = 0) {
    this.#head = head
    this.#at = BEGINNING + head * 10
  }

  /** Appends an event, 10 ms after the one before. */
  add<Type extends EventType>(type: Type, data: EventData<Type>): this {
    this.#head += 1
    this.#at += 10
    const envelope = { type, data, timestamp: new Date(this.#at).toISOString(), sequence: this.#head }
    this.events.push(envelope as unknown as Envelope)
    return this
  }

  /** Numbers that were given out and whose events (partials) are not kept any more. */
  skip(count: number): this {
    this.#head += count
    return this
  }

  wait(ms: number): this {
    this.#at += ms
    return this
  }

  user(text: string, more: Omit<EventData<'user_message'>, 'text'> = {}): this {
    return this.add('user_message', { text, ...more })
  }

  /** The pieces of a text that is being written. */
  say(pieces: readonly string[], parentId?: string): this {
    for (const text of pieces) this.add('message', { text, is_partial: true, ...below(parentId) })
    return this
  }

  said(text: string, parentId?: string): this {
    return this.add('message', { text, full_text: text, is_partial: false, ...below(parentId) })
  }

  think(pieces: readonly string[], parentId?: string): this {
    for (const text of pieces) this.add('thinking', { text, is_partial: true, ...below(parentId) })
    return this
  }

  thought(text: string, parentId?: string): this {
    return this.add('thinking', { text, full_text: text, is_partial: false, ...below(parentId) })
  }

  call(toolId: string, name = 'Bash', input: unknown = { command: 'make' }, parentId?: string): this {
    return this.add('tool_start', { tool_name: name, tool_input: input, tool_id: toolId, ...below(parentId) })
  }

  returned(toolId: string, more: Partial<EventData<'tool_complete'>> = {}): this {
    const result = { tool_name: 'Bash', tool_id: toolId, result: 'fine', duration_ms: 7, is_error: false }
    return this.add('tool_complete', { ...result, ...more })
  }

  ask(requestId: string, toolId?: string): this {
    return this.add('permission_request', {
      request_id: requestId,
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      options: [],
      expires_at: '2026-01-05T13:00:00.000Z',
      ...(toolId === undefined ? {} : { tool_id: toolId }),
    })
  }

  answer(requestId: string, decision: string, more: Partial<EventData<'permission_resolved'>> = {}): this {
    return this.add('permission_resolved', { request_id: requestId, decision, by: 'local', ...more })
  }

  complete(more: Partial<EventData<'agent_complete'>> = {}): this {
    return this.add('agent_complete', {
      status: 'COMPLETE',
      stop_reason: 'success',
      termination_info: { reason: 'completed', terminated_by: 'agent' },
      ...more,
    })
  }

  crash(): this {
    return this.add('error', {
      message: 'agent exited with status 3',
      error_type: 'process_exit',
      stop_reason: 'process_exit',
      termination_info: { reason: 'error', terminated_by: 'agent', exit_code: 3 },
    })
  }
}

function below(parentId: string | undefined) {
  return parentId === undefined ? {} : { parent_id: parentId }
}
