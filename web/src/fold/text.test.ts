import { describe, expect, it } from 'vitest'
import { EMPTY, fold } from './fold'
import { Log } from './testing/log'
import { kinds, notes, texts, tool } from './testing/look'

/** The same log as history has it. */
const finals = (log: Log) => log.events.filter((event) => !('is_partial' in event.data && event.data.is_partial))

describe('a text', () => {
  it('grows by its partials and ends with its final', () => {
    const log = new Log().user('Go').say(['Hel', 'lo'])
    const open = fold(EMPTY, log.events)
    expect(open.items[1]).toMatchObject({ kind: 'text', text: 'Hello', isOpen: true, sequence: 2, last: 3, key: 'e2' })
    const done = fold(open, log.said('Hello.').events)
    expect(done.items[1]).toMatchObject({ text: 'Hello.', isOpen: false, sequence: 2, last: 4, key: 'e2' })
    expect(done.items).toHaveLength(2)
  })

  it('is whole without partials', () => {
    const { items } = fold(EMPTY, new Log().user('Go').said('Hello.').said('And again.').events)
    expect(items.slice(1)).toMatchObject([
      { text: 'Hello.', isOpen: false },
      { text: 'And again.', isOpen: false },
    ])
  })

  it('that was interrupted by a tool is one text, and stands where history has it', () => {
    const log = new Log().user('Go').say(['I will ']).call('a').returned('a').say(['see.'])
    const live = fold(EMPTY, log.events)
    expect(kinds(live.items)).toEqual(['user', 'tool', 'text'])
    expect(texts(live.items)).toEqual(['I will see.'])
    log.said('I will see.')
    expect(kinds(fold(live, log.events).items)).toEqual(kinds(fold(EMPTY, finals(log)).items))
  })

  it('is closed with what was seen of it if the run ends without its final', () => {
    const log = new Log().user('Go').call('agent').say(['Half a'], 'agent').say(['Half a sen']).crash()
    const { items } = fold(EMPTY, log.events)
    expect(items[2]).toMatchObject({ kind: 'text', text: 'Half a sen', isOpen: false })
    expect(items[1]).toMatchObject({ children: [{ text: 'Half a', isOpen: false }], state: 'unknown' })
    expect(items[3]!.kind).toBe('end')
  })

  it('of a broken call is dropped when the model is called again', () => {
    const log = new Log().user('Go').say(['The qui', 'ck']).add('agent_retry', { attempt: 1, delay_ms: 500 })
    expect(kinds(fold(EMPTY, log.events).items)).toEqual(['user', 'note'])
    log.say(['The ', 'quick fox']).said('The quick fox.')
    expect(texts(fold(EMPTY, log.events).items)).toEqual(['The quick fox.'])
    expect(kinds(fold(EMPTY, log.events).items)).toEqual(kinds(fold(EMPTY, finals(log)).items))
  })

  it('of a subagent is not dropped for a call of which nobody knows whose it was', () => {
    const log = new Log()
      .user('Go')
      .call('agent', 'Agent')
      .say(['The qui'], 'agent')
      .add('agent_retry', { attempt: 1, delay_ms: 500 })
      .say(['The quick'], 'agent')
      .said('The quick fox.', 'agent')
    expect(texts(tool(fold(EMPTY, log.events), 'agent').children)).toEqual(['The quick fox.'])
  })

  it('of nothing but space is not shown', () => {
    const log = new Log().user('Go').say(['\n', '\n']).said('\n\n').complete()
    expect(kinds(fold(EMPTY, log.events).items)).toEqual(['user', 'end'])
  })

  it('stays the last while something is noted beside it', () => {
    const log = new Log().user('Go').say(['One']).add('stalled', { waiting_on: 'model', idle_ms: 1 }).say([' two'])
    const live = fold(EMPTY, log.events)
    expect(kinds(live.items)).toEqual(['user', 'note', 'text'])
    expect(texts(live.items)).toEqual(['One two'])
    expect(notes(live)).toHaveLength(1)
  })
})

describe('thinking', () => {
  it('has the time from its first to its last piece', () => {
    const log = new Log().user('Go').think(['Hm']).wait(980).think([', hm']).thought('Hm, hm.').said('So.')
    expect(fold(EMPTY, log.events).items[1]).toMatchObject({ kind: 'thinking', text: 'Hm, hm.', durationMs: 1000 })
    expect(fold(EMPTY, finals(log)).items[1]).toMatchObject({ kind: 'thinking', text: 'Hm, hm.', durationMs: null })
  })

  it('and a text at the same time keep apart, and the one that is done first stands first', () => {
    const log = new Log().user('Go').think(['a']).say(['x']).think(['b']).say(['y']).said('xy').thought('ab')
    const { items } = fold(EMPTY, log.events)
    expect(items.slice(1)).toMatchObject([
      { kind: 'text', text: 'xy' },
      { kind: 'thinking', text: 'ab' },
    ])
  })
})

describe('subagents', () => {
  it('speak at the same time, each below its own call', () => {
    const log = new Log().user('Go').call('one', 'Agent').call('two', 'Agent')
    log.say(['a'], 'one').say(['x'], 'two').say(['b'], 'one').think(['?'], 'two').say(['y'], 'two').say(['main'])
    const open = fold(EMPTY, log.events)
    expect(texts(tool(open, 'one').children)).toEqual(['ab'])
    expect(texts(tool(open, 'two').children)).toEqual(['xy', '?'])
    expect(texts(open.items)).toEqual(['main'])
    log.thought('?!', 'two').said('xyz', 'two').call('inner', 'Bash', {}, 'one').said('abc', 'one').returned('inner')
    const done = fold(open, log.events)
    expect(kinds(tool(done, 'one').children)).toEqual(['tool', 'text'])
    expect(texts(tool(done, 'two').children)).toEqual(['?!', 'xyz'])
  })

  it('may have subagents of their own, and go on in the background', () => {
    const log = new Log().user('Go').call('outer', 'Agent').returned('outer').call('inner', 'Agent', {}, 'outer')
    log.said('Deep down.', 'inner').said('Up here.')
    const conversation = fold(EMPTY, log.events)
    expect(texts(tool(conversation, 'inner').children)).toEqual(['Deep down.'])
    expect(kinds(conversation.items)).toEqual(['user', 'tool', 'text'])
  })

  it('whose call is not known speak in the conversation itself', () => {
    const log = new Log().user('Go').say(['Who '], 'nobody').said('Who am I?', 'nobody').call('a', 'Bash', {}, 'nobody')
    expect(kinds(fold(EMPTY, log.events).items)).toEqual(['user', 'text', 'tool'])
  })

  it('change nothing of what others have done', () => {
    const log = new Log().user('Go').call('one', 'Agent').call('two', 'Agent').said('a', 'one').said('x', 'two')
    const before = fold(EMPTY, log.events)
    const after = fold(before, new Log(before.head).said('b', 'one').events)
    expect(tool(after, 'two')).toBe(tool(before, 'two'))
    expect(tool(after, 'one').children[0]).toBe(tool(before, 'one').children[0])
    expect(tool(before, 'one').children).toHaveLength(1)
  })
})
