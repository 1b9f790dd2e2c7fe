// A conversation of two people who don't exist, and questions on it: enough to rank differently if anything changes.
import type { Told } from './told-mind.ts'

const SUBJECTS = [
  'the sailing course in the harbour',
  'a violin from the flea market',
  'our roof, which leaks again',
  'the bakery that my cousin opened',
  'a marathon in the rain',
  'the tax return for the workshop',
  'tomatoes on the balcony',
  'a stray cat in the stairwell',
  'the choir and its new conductor',
  'an old motorcycle without brakes'
]
const OPENINGS = [
  'Did you hear about',
  'Last week I finally dealt with',
  'I can’t stop thinking about',
  'Tell me more about',
  'Yesterday everything turned around'
]
const ENDINGS = [
  'It took 3 hours and cost 40 euros.',
  'What would you do?',
  'My sister in Lisbon says it is because of the weather.',
  'We meet there on Friday.',
  'I was so happy that I cried.'
]
const SPEAKERS = ['Ottilie', 'Bartholomew']

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const START = Date.parse('2031-03-01T09:00:00.000Z')

/** Sessions of ten turns, three days apart; no two texts are equal. */
export const smallTalk: readonly Told[] = Array.from({ length: 250 }, (_, turn) => {
  const subject = SUBJECTS[(turn * 7 + Math.floor(turn / 10)) % SUBJECTS.length]
  const text = `${OPENINGS[turn % 5]} ${subject}. ${ENDINGS[(turn * 3 + Math.floor(turn / 25)) % 5]}`
  const occurredAt = new Date(START + Math.floor(turn / 10) * 3 * DAY_MS + (turn % 10) * MINUTE_MS)
  return {
    content: `${SPEAKERS[turn % 2]}: ${text} That was talk ${turn}.`,
    occurredAt: occurredAt.toISOString()
  }
})

export const smallQuestions: readonly string[] = [
  'When did Ottilie take the sailing course?',
  'What does Bart think about the violin?',
  'Why is the roof leaking?',
  'How much did the tax return cost?',
  'Where does the cousin bake?',
  'What happened on 13 March 2031?',
  'Which vehicle has no brakes?',
  'Who sings with the new conductor?',
  'What animals live in the stairwell?',
  'What did Ottilie do in April?',
  'talk 77',
  'marathon marathon marathon',
  'Does anybody grow vegetables on the balcony?'
]
