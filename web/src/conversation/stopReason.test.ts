// The words for how a run ended, in both languages.
import { expect, test } from 'vitest'
import { resources } from '@/i18n'
import { stopReasonName } from './stopReason'

const { en, de } = resources()
const text = (language: typeof en, reason: string | null) =>
  (language.agent as { stop_reason: Record<string, string> }).stop_reason[stopReasonName(reason)]

test.each([
  ['success', 'Task complete', 'Aufgabe abgeschlossen'],
  ['error_max_turns', 'Maximum turns reached', 'Maximale Durchläufe erreicht'],
  ['error_max_budget_usd', 'Budget limit reached', 'Budgetlimit erreicht'],
  ['error_during_execution', 'Error during execution', 'Fehler bei der Ausführung'],
  ['error_max_structured_output_retries', 'Output format error', 'Ausgabeformatfehler'],
  ['something_new', 'Session ended', 'Sitzung beendet'],
  [null, 'Session ended', 'Sitzung beendet'],
])('%s is said as agreed [R109] [R110] [R111]', (reason, english, german) => {
  expect(text(en, reason)).toBe(english)
  expect(text(de, reason)).toBe(german)
})

test.each([
  ...['cancelled', 'paused', 'refusal', 'max_tokens', 'timeout', 'idle_timeout', 'max_output', 'max_memory'],
  ...['process_exit', 'start_failed', 'auth_failed', 'interrupted'],
])('%s has words of its own', (reason) => {
  expect(stopReasonName(reason)).toBe(reason)
  expect(text(en, reason)).toBeTruthy()
  expect(text(de, reason)).toBeTruthy()
})
