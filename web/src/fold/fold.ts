// From events to what the screen shows: pure, and the same whatever pieces the events come in.
//
// Rule 1: an event at or below the head changes nothing, so whatever is read twice is shown once.
// Rule 2: an event that is not known here (a newer server's) only moves the head.
import type { Envelope, EventOf, EventType } from 'holdfast-client'
import { takeAsked, takeResolved } from './asked'
import { Draft } from './draft'
import { takeDiscarded, takeEnd, takeUserMessage } from './ends'
import { takeAgentStart, takeMode, takeProfile, takeUsage } from './facts'
import type { Conversation } from './model'
import { refuseCalled, takeNote } from './notes'
import { started } from './started'
import { dropBroken, takeText } from './text'
import { takeToolComplete, takeToolStart, takeToolUpdate } from './tools'

export const EMPTY: Conversation = {
  head: 0,
  runs: [],
  items: [],
  waiting: [],
  todos: [],
  facts: {
    agent: null,
    model: null,
    mode: null,
    profile: null,
    contextUsed: null,
    contextSize: null,
    costUsd: null,
  },
}

/** The conversation with these events; the very same one if none of them is new. */
export function fold(before: Conversation, events: readonly Envelope[]): Conversation {
  let draft: Draft | null = null
  for (const event of inOrder(events)) {
    if (event.sequence <= (draft ?? before).head) continue
    draft ??= new Draft(before)
    take(draft, event)
    draft.head = event.sequence
  }
  return draft === null ? before : draft.done()
}

type Take<Type extends EventType> = (draft: Draft, event: EventOf<Type>) => void

const ignore = () => {}

const TAKE: { readonly [Type in EventType]: Take<Type> } = {
  user_message: takeUserMessage,
  session_connect: ignore,
  agent_start: takeAgentStart,
  thinking: takeText,
  message: takeText,
  tool_start: takeToolStart,
  tool_complete: takeToolComplete,
  output_display: (draft, event) => draft.add([], { ...started(draft, event), kind: 'output', data: event.data }),
  todo_update: (draft, event) => {
    draft.todos = event.data.todos
  },
  usage: takeUsage,
  permission_request: takeAsked,
  permission_resolved: takeResolved,
  question: takeAsked,
  agent_retry: (draft, event) => {
    dropBroken(draft)
    takeNote(draft, event)
  },
  rate_limit: takeNote,
  compacted: takeNote,
  stalled: takeNote,
  forked: takeNote,
  discarded: (draft, event) => {
    takeDiscarded(draft)
    takeNote(draft, event)
  },
  imported: takeNote,
  recovered: takeNote,
  agent_unparsed: takeNote,
  agent_update: (draft, event) => {
    if (event.data.kind === 'tool_call_update') takeToolUpdate(draft, event)
    else if (event.data.kind === 'current_mode_update') takeMode(draft, event)
    else takeNote(draft, event)
  },
  profile_switch: (draft, event) => {
    takeProfile(draft, event)
    takeNote(draft, event)
  },
  hook_triggered: (draft, event) => {
    if (event.data.decision === 'deny') refuseCalled(draft, event.data.tool_name)
    takeNote(draft, event)
  },
  conversation_turn: ignore,
  session_disconnect: ignore,
  agent_complete: takeEnd,
  error: takeEnd,
  cancelled: takeEnd,
}

function take<Type extends EventType>(draft: Draft, event: EventOf<Type>): void {
  if (Object.hasOwn(TAKE, event.type)) (TAKE[event.type] as Take<Type>)(draft, event)
}

/** The order is the sequence's, however they came. */
function inOrder(events: readonly Envelope[]): readonly Envelope[] {
  const isAscending = events.every((event, index) => index === 0 || events[index - 1]!.sequence < event.sequence)
  return isAscending ? events : events.toSorted((one, other) => one.sequence - other.sequence)
}
