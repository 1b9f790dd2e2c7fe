// What callers of a business tell and ask: people, numbers, dates and amounts among words of all frequencies.
import type { NewMemory } from '../src/memory/engine.ts'
import { timeOfTurn, wordOf } from './memory-crowd.ts'

type Random = () => number

const FIRST_NAMES =
  'Ada Grace Tom Maria Omar Lena Yusuf Nora Paul Ines Viktor Salma Hugo Petra Ravi Julia'.split(' ')
const LAST_NAMES = 'Reyes Lovelace Kowalski Haddad Brandt Silva Novak Okafor Lindgren Moreau'.split(' ')
const CITIES = 'Lisbon Leeds Hamburg Austin Turin Lyon Oslo Porto Denver Ghent'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const MONTHS = 'January March April June August October December'.split(' ')
const THINGS = ['boiler', 'invoice', 'check-up', 'contract', 'delivery', 'training', 'rental car', 'viewing']
const COMPANIES = ['Harbour Clinic', 'Northwind Motors', 'Blue Door Estates', 'Fabrikam', 'Lindgren Legal']

const oneOf = <T>(random: Random, all: readonly T[]): T => {
  const chosen = all[Math.floor(random() * all.length)]
  if (chosen === undefined) throw new Error('There is nothing to choose from.')
  return chosen
}
const personOf = (random: Random): string => `${oneOf(random, FIRST_NAMES)} ${oneOf(random, LAST_NAMES)}`
const numberOf = (random: Random, digits: number): string =>
  String(Math.floor((0.1 + 0.9 * random()) * 10 ** digits))
const wordsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, () => wordOf(random)).join(' ')

const SAYINGS: readonly ((random: Random) => string)[] = [
  (random) => `My phone number is +1 ${numberOf(random, 3)} ${numberOf(random, 4)}.`,
  (random) =>
    `The invoice ${numberOf(random, 6)} is about ${numberOf(random, 3)} dollars and due on ${oneOf(random, MONTHS)} ${1 + Math.floor(random() * 28)}.`,
  (random) => `I prefer to be called on ${oneOf(random, DAYS)} after ${1 + Math.floor(random() * 8)} pm.`,
  (random) =>
    `${personOf(random)} works at ${oneOf(random, COMPANIES)} and looks after the ${oneOf(random, THINGS)}.`,
  (random) =>
    `The appointment for the ${oneOf(random, THINGS)} is next ${oneOf(random, DAYS)} at ${1 + Math.floor(random() * 11)}:30.`,
  (random) =>
    `We moved to ${oneOf(random, CITIES)} in ${oneOf(random, MONTHS)}, the office is on the ground floor.`,
  (random) => `I asked about the ${oneOf(random, THINGS)} and was told to talk to ${personOf(random)}.`
]

const QUESTIONS: readonly ((random: Random) => string)[] = [
  (random) => `What is ${personOf(random)}'s phone number?`,
  (random) => `When is the appointment for the ${oneOf(random, THINGS)}?`,
  (random) => `Who looks after the ${oneOf(random, THINGS)} at ${oneOf(random, COMPANIES)}?`,
  (random) => `How much is the invoice of ${oneOf(random, FIRST_NAMES)}?`,
  (random) => `Where did ${personOf(random)} move to?`,
  (random) => `What did ${oneOf(random, FIRST_NAMES)} say on ${wordsOf(random, 4)}?`
]

/** One turn of a call: something that can be asked for, and what else was said. */
export function sayingOf(random: Random, turn: number): NewMemory {
  const told = random() < 0.6 ? `${oneOf(random, SAYINGS)(random)} ` : ''
  const rest = `The ${wordsOf(random, 3)} was with the ${wordsOf(random, 2 + Math.floor(random() * 10))}.`
  return { content: `${personOf(random)}: ${told}${rest}`, occurredAt: timeOfTurn(turn) }
}

export const askingOf = (random: Random): string => oneOf(random, QUESTIONS)(random)
