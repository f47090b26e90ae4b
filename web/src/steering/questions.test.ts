import type { Question, QuestionItem } from 'holdfast-client'
import { describe, expect, it } from 'vitest'
import {
  allowsOther,
  answersOf,
  type FieldValue,
  initialValues,
  openable,
  problemsOf,
  withChosen,
  withOther,
} from './questions'

const COLOURS = [
  { kind: 'r', name: 'Red' },
  { kind: 'g', name: 'Green' },
  { kind: 'b', name: 'Blue' },
]

function form(...questions: QuestionItem[]): Question {
  return { request_id: 'q1', text: 'Tell me', questions, expires_at: '2026-01-05T12:00:00.000Z' }
}

function value(change: Partial<FieldValue>): FieldValue {
  return { chosen: [], typed: '', isOther: false, ...change }
}

describe('a form', () => {
  it('starts with the defaults that fit its fields', () => {
    const question = form(
      { id: 'colour', text: 'Colour', kind: 'choice', options: COLOURS, default: 'g' },
      { id: 'many', text: 'Colours', kind: 'choice', options: COLOURS, many: true, default: ['b', 'r', 'pink'] },
      { id: 'sure', text: 'Sure?', kind: 'boolean', default: false },
      { id: 'count', text: 'How many', kind: 'number', default: 3 },
      { id: 'name', text: 'Name', default: null },
    )
    const values = initialValues(question)
    expect(values.colour?.chosen).toEqual(['g'])
    expect(values.many?.chosen).toEqual(['r', 'b'])
    expect(answersOf(question, values, 'en')).toEqual({
      answers: { colour: 'g', many: ['r', 'b'], sure: false, count: 3 },
    })
  })

  it('answers in the types of its fields, and leaves out what was not answered', () => {
    const question = form(
      { id: 'count', text: 'How many', kind: 'number' },
      { id: 'ratio', text: 'Ratio', kind: 'number' },
      { id: 'sure', text: 'Sure?', kind: 'boolean' },
      { id: 'text', text: 'Text', kind: 'text' },
      { id: 'empty', text: 'Text', kind: 'text' },
    )
    const values = {
      count: value({ typed: ' 12 ' }),
      ratio: value({ typed: '1,5' }),
      sure: value({ chosen: ['true'] }),
      text: value({ typed: ' as written' }),
      empty: value({ typed: '  ' }),
    }
    expect(answersOf(question, values, 'en')).toEqual({
      answers: { count: 12, ratio: 1.5, sure: true, text: ' as written' },
    })
    expect(problemsOf(question, values, 'en')).toEqual({})
  })

  it('names what is missing and what is no number', () => {
    const question = form(
      { id: 'colour', text: 'Colour', kind: 'choice', options: COLOURS, required: true },
      { id: 'sure', text: 'Sure?', kind: 'boolean', required: true },
      { id: 'count', text: 'How many', kind: 'number' },
      { id: 'free', text: 'Text' },
    )
    const values = { ...initialValues(question), count: value({ typed: '1.2.3' }) }
    expect(problemsOf(question, values, 'en')).toEqual({ colour: 'required', sure: 'required', count: 'no_number' })
  })

  it('without questions is answered by nothing but the yes', () => {
    expect(answersOf(form(), {}, 'en')).toEqual({ answers: {} })
  })
})

describe('a choice', () => {
  const one: QuestionItem = {
    id: 'Which?',
    text: 'Which?',
    kind: 'choice',
    options: COLOURS,
    required: true,
    free_text: true,
  }
  const many: QuestionItem = { ...one, many: true }

  it('of one replaces the one before', () => {
    expect(withChosen(one, value({ chosen: ['r'] }), 'g', true).chosen).toEqual(['g'])
  })

  it('of many adds and takes away', () => {
    const both = withChosen(many, value({ chosen: ['b'] }), 'r', true)
    expect(answersOf(form(many), { 'Which?': both }, 'en')).toEqual({ answers: { 'Which?': ['r', 'b'] } })
    expect(withChosen(many, both, 'b', false).chosen).toEqual(['r'])
  })

  it('takes words of one’s own where the question is its own name, and nowhere else', () => {
    expect(allowsOther(one)).toBe(true)
    expect(allowsOther({ ...one, free_text: false })).toBe(false)
    expect(allowsOther({ id: 'a', text: 'a' })).toBe(false)
  })

  it('of words of one’s own leaves the options, or stands beside them where many count', () => {
    const other = withOther(one, value({ chosen: ['r'], typed: 'Pink' }), true)
    expect(answersOf(form(one), { 'Which?': other }, 'en')).toEqual({ answers: { 'Which?': 'Pink' } })
    const beside = withOther(many, value({ chosen: ['r'], typed: 'Pink' }), true)
    expect(answersOf(form(many), { 'Which?': beside }, 'en')).toEqual({ answers: { 'Which?': ['r', 'Pink'] } })
    expect(withChosen(one, other, 'g', true).isOther).toBe(false)
  })

  it('of words of one’s own that are not there is missing', () => {
    expect(problemsOf(form({ ...one, required: false }), { 'Which?': value({ isOther: true }) }, 'en')).toEqual({
      'Which?': 'required',
    })
  })
})

it.each([
  ['1,000', 'en', 1000],
  ['1.000', 'de', 1000],
  ['-1,5', 'en', -1.5],
  ['-0.5', 'de', -0.5],
  ['+7', 'en', 7],
  ['1e3', 'en', 1000],
])('%s is in %s the number %d', (typed, language, number) => {
  const question = form({ id: 'n', text: 'How many?', kind: 'number' })
  expect(answersOf(question, { n: value({ typed }) }, language)).toEqual({ answers: { n: number } })
})

it.each(['-', '--5', '-+5', 'many', '1,2,3'])('%s is no number', (typed) => {
  const question = form({ id: 'n', text: 'How many?', kind: 'number' })
  expect(problemsOf(question, { n: value({ typed }) }, 'en')).toEqual({ n: 'no_number' })
})

it('only addresses of the web can be opened', () => {
  expect(openable('https://example.com/login')).toBe('https://example.com/login')
  expect(openable('javascript:alert(1)')).toBeNull()
  expect(openable('file:///etc/passwd')).toBeNull()
  expect(openable('nothing')).toBeNull()
  expect(openable(undefined)).toBeNull()
})
