// A form of questions: what it starts with, what is wrong with it, and the answers that it makes. Pure.
import type { AnswerBody, Question, QuestionItem } from 'holdfast-client'
import { readNumber } from '@/newtask/limits'

/** What stands in a field: always text, since that is what controls hold. */
export interface FieldValue {
  /** The chosen options by their `kind`; for yes and no, `true` or `false`. */
  chosen: readonly string[]
  /** What was typed: the answer of texts and numbers, or words of one's own beside a choice. */
  typed: string
  /** Whether the words of one's own count. */
  isOther: boolean
}

export type FormValues = Readonly<Record<string, FieldValue>>
export type FieldProblem = 'required' | 'no_number'

type Answer = string | number | boolean | string[]

export function isChoice(item: QuestionItem): boolean {
  return (item.options?.length ?? 0) > 0
}

/** Whether words of one's own are an answer too: Claude Code's questions take any, of a form's options one must be chosen. */
export function allowsOther(item: QuestionItem): boolean {
  return isChoice(item) && item.free_text === true
}

export function initialValues(question: Question): FormValues {
  return Object.fromEntries(question.questions.map((item) => [item.id, initialValue(item)]))
}

function initialValue(item: QuestionItem): FieldValue {
  const given = item.default
  const nothing: FieldValue = { chosen: [], typed: '', isOther: false }
  if (given === undefined || given === null) return nothing
  const words = (Array.isArray(given) ? given : [given]).filter((value) => typeof value !== 'object').map(String)
  if (isChoice(item)) {
    const known = item.options!.filter((option) => words.includes(option.kind)).map((option) => option.kind)
    return { ...nothing, chosen: item.many ? known : known.slice(0, 1) }
  }
  if (item.kind === 'boolean')
    return { ...nothing, chosen: words.filter((word) => word === 'true' || word === 'false') }
  return { ...nothing, typed: words.join(', ') }
}

export function withChosen(item: QuestionItem, value: FieldValue, kind: string, isChosen: boolean): FieldValue {
  if (!item.many) return { ...value, chosen: isChosen ? [kind] : [], isOther: false }
  const others = value.chosen.filter((chosen) => chosen !== kind)
  return { ...value, chosen: isChosen ? [...others, kind] : others }
}

export function withOther(item: QuestionItem, value: FieldValue, isOther: boolean): FieldValue {
  return { ...value, isOther, chosen: isOther && !item.many ? [] : value.chosen }
}

/** The answer of one field; undefined if it has none. */
function answerOf(item: QuestionItem, value: FieldValue, language: string): Answer | undefined {
  const typed = value.typed.trim()
  if (isChoice(item)) {
    // In the order of the form, whatever the order of the clicks.
    const chosen = item.options!.map((option) => option.kind).filter((kind) => value.chosen.includes(kind))
    const all = value.isOther && typed !== '' ? [...chosen, typed] : chosen
    if (all.length === 0) return undefined
    return item.many ? all : all[0]
  }
  if (item.kind === 'boolean') return value.chosen[0] === undefined ? undefined : value.chosen[0] === 'true'
  if (typed === '') return undefined
  return item.kind === 'number' ? numberOf(typed, language) : value.typed
}

/** As a person of that language means it, also below zero; what else JavaScript knows as a number ("1e3") is one too. */
function numberOf(typed: string, language: string): number | undefined {
  const size = readNumber(typed.replace(/^[+-]/, ''), language)
  const number = size === null ? Number(typed || Number.NaN) : typed.startsWith('-') ? -size : size
  return Number.isFinite(number) ? number : undefined
}

/** What keeps the form from being sent, by the field's id. */
export function problemsOf(
  question: Question,
  values: FormValues,
  language: string,
): Readonly<Record<string, FieldProblem>> {
  const found = question.questions.flatMap((item): [string, FieldProblem][] => {
    const value = values[item.id]
    if (value === undefined) return []
    if (
      item.kind === 'number' &&
      !isChoice(item) &&
      value.typed.trim() !== '' &&
      !fitsNumber(item, value.typed.trim(), language)
    ) {
      return [[item.id, 'no_number']]
    }
    // Words of one's own that were begun with are missed too, also where nothing is required.
    const isMissing = answerOf(item, value, language) === undefined && (item.required === true || value.isOther)
    return isMissing ? [[item.id, 'required']] : []
  })
  return Object.fromEntries(found)
}

function fitsNumber(item: QuestionItem, typed: string, language: string): boolean {
  const number = numberOf(typed, language)
  return number !== undefined && (item.whole !== true || Number.isInteger(number))
}

/** What is sent: only the fields that have an answer. */
export function answersOf(question: Question, values: FormValues, language: string): AnswerBody {
  const answers: Record<string, unknown> = {}
  for (const item of question.questions) {
    const value = values[item.id]
    const answer = value && answerOf(item, value, language)
    if (answer !== undefined) answers[item.id] = answer
  }
  return { answers }
}

/** An address that may be opened; an agent's word is no reason to open anything but a web page. */
export function openable(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
