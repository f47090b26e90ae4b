// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { EMPTY, fold } from '@/fold/fold'
import { Log } from '@/fold/testing/log'
import { resources } from '@/i18n'
import { FindBar } from './FindBar'

const LOG = new Log().user('a needle').said('hay').said('another needle').call('c', 'needle')

let gone: number[] = []
let queries: string[] = []
let isClosed = false

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ resources: resources(), lng: 'en', interpolation: { escapeValue: false } })
})
beforeEach(() => {
  gone = []
  queries = []
  isClosed = false
})
afterEach(cleanup)

function show(log = LOG) {
  const bar = (from: Log) => (
    <FindBar
      conversation={fold(EMPTY, from.events)}
      onGo={(sequence) => gone.push(sequence)}
      onQuery={(query) => queries.push(query)}
      onClose={() => {
        isClosed = true
      }}
    />
  )
  const { rerender } = render(bar(log))
  return { again: (from: Log) => rerender(bar(from)) }
}

const field = () => screen.getByRole('textbox', { name: 'Find in this session' })
const type = (text: string) => act(async () => void fireEvent.change(field(), { target: { value: text } }))

test('typing goes to the first place and says how many there are', async () => {
  show()
  expect(document.activeElement).toBe(field())
  await type('NEEDLE')
  expect(screen.getByText('1 of 3')).toBeTruthy()
  expect(gone).toEqual([1])
  expect(queries.at(-1)).toBe('NEEDLE')
})

test('Enter, Shift+Enter and F3 lead from place to place and around', async () => {
  show()
  await type('needle')
  fireEvent.keyDown(field(), { key: 'Enter' })
  fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
  fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true })
  fireEvent.keyDown(window, { key: 'F3' })
  expect(gone).toEqual([1, 3, 1, 4, 1])
  fireEvent.click(screen.getByRole('button', { name: 'Next match' }))
  expect(screen.getByText('2 of 3')).toBeTruthy()
})

test('what is not there is said, and nothing is gone to', async () => {
  show()
  await type('nothing of the kind')
  expect(screen.getByText('Nothing found')).toBeTruthy()
  expect(gone).toEqual([])
  expect(screen.getByRole('button', { name: 'Next match' }).hasAttribute('disabled')).toBe(true)
})

test('while the session goes on the place is kept and the count grows', async () => {
  const { again } = show()
  await type('needle')
  fireEvent.keyDown(field(), { key: 'Enter' })
  again(new Log().user('a needle').said('hay').said('another needle').call('c', 'needle').said('one more needle'))
  expect(screen.getByText('2 of 4')).toBeTruthy()
  expect(gone).toEqual([1, 3])
})

test('Escape closes it', () => {
  show()
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(isClosed).toBe(true)
})
