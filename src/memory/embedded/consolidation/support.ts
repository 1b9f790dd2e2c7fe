// Whether a memory says what a model made of it. Looked up word by word, so it can't be talked into anything; but what a
// memory does say, true or not, is taken.

import { MAX_VALUE_LENGTH } from '../facts/draft.ts'
import { speaksToModel } from '../facts/untrusted.ts'
import { toOneLine } from '../one-line.ts'
import type { ToldText } from './told-text.ts'

/** Words of a value by which its kind is told, and not the memory's. */
const LABELS = /^(?:likes?|dislikes?|prefers?|favou?rite|speaks?|plans?|goal|role|at) /i

/** Whether every number and name of the value, and most of its words, are in the memory. */
export function isSupported(value: string, told: ToldText): boolean {
  const given = value.replace(/\d{4}-\d{2}-\d{2}/g, (date) => (told.spanAround(date) ? ' ' : date))
  return hasNumbers(given, told) && hasNames(given, told) && hasWords(given, told)
}

/** Whether a value can be shown in a profile: one short line that speaks to nobody. */
export const isPresentable = (value: string): boolean =>
  value.length > 1 && value.length <= MAX_VALUE_LENGTH && value === toOneLine(value) && !speaksToModel(value)

/** Whether somebody of that name is in the memory. */
export function isNamed(name: string, told: ToldText): boolean {
  const words = name.match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? []
  return words.length > 0 && words.every((word) => told.hasName(word))
}

function hasNumbers(value: string, told: ToldText): boolean {
  const numbers = value.match(/\d(?:[\d ().,/-]*\d)?/g) ?? []
  return numbers.every((number) => {
    const whole = number.replace(/\D/g, '')
    return told.hasNumber(whole) || (number.match(/\d+/g) ?? []).every((part) => told.hasNumber(part))
  })
}

/** The first word may be written large for its place. */
function hasNames(value: string, told: ToldText): boolean {
  const names = [...value.matchAll(/(?<![\p{L}\p{M}\p{N}'’])\p{Lu}[\p{L}\p{M}\p{N}'’]*/gu)]
  return names.every(({ 0: name, index }) => told.hasName(name) || (index === 0 && told.hasWord(name)))
}

function hasWords(value: string, told: ToldText): boolean {
  const { words, told: found } = told.share(value.replace(LABELS, ''))
  return words === 0 ? told.states(value) : found * 2 >= words
}
