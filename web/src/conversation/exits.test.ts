// What exit codes and signals mean, and what to do then: every name has its text in both languages.
import { expect, test } from 'vitest'
import { resources } from '@/i18n'
import { adviceFor } from './advice'
import { exitMeaning } from './exits'
import { ending } from './testing/examples'

const { en, de } = resources()
function textAt(texts: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], texts)
}

test.each([
  [1, 'code.1'],
  [2, 'code.2'],
  [126, 'code.126'],
  [127, 'code.127'],
  [130, 'signal.SIGINT'],
  [137, 'signal.SIGKILL'],
  [139, 'signal.SIGSEGV'],
  [143, 'signal.SIGTERM'],
])('exit code %i means %s', (code, meaning) => {
  expect(exitMeaning(code, undefined)).toBe(meaning)
  expect(textAt(en.conversation, `exit.${meaning}`)).toBeTypeOf('string')
  expect(textAt(de.conversation, `exit.${meaning}`)).toBeTypeOf('string')
})

test('a signal goes before a code, and what nobody knows has no meaning', () => {
  expect(exitMeaning(1, 'SIGKILL')).toBe('signal.SIGKILL')
  expect(exitMeaning(42, undefined)).toBe('code.other')
  expect(exitMeaning(200, undefined)).toBeNull()
  expect(exitMeaning(undefined, 'SIGRTMIN')).toBeNull()
  expect(exitMeaning(undefined, undefined)).toBeNull()
})

test.each([
  [{ stopReason: 'auth_failed' }, 'auth'],
  [{ stopReason: 'start_failed' }, 'start'],
  [{ stopReason: 'error_max_turns' }, 'limit'],
  [{ stopReason: 'error_during_execution', limit: 'timeout_s' }, 'limit'],
  [{ stopReason: 'error_during_execution', errorType: 'rate_limit' }, 'later'],
  [
    { stopReason: 'process_exit', termination: { reason: 'error', terminated_by: 'agent', signal: 'SIGKILL' } },
    'memory',
  ],
  [{ stopReason: 'process_exit' }, 'resume'],
  [{ stopReason: 'interrupted', resumable: true }, 'interrupted'],
  [{ stopReason: 'interrupted', resumable: false }, 'again'],
] as const)('after %j the advice is: %s', (more, name) => {
  expect(adviceFor({ ...ending, type: 'error', ...more })).toBe(name)
  expect(textAt(en.conversation, `advice.${name}`)).toBeTypeOf('string')
  expect(textAt(de.conversation, `advice.${name}`)).toBeTypeOf('string')
})
