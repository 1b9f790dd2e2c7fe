// What is ahead, and what was given up.
import type { Clause } from './clause.ts'
import { actOf, LONGEST_ACT, POINTING_ACT } from './read-events.ts'
import { after, contentWords, type Finding, groupsIn, NOTHING, type Reader } from './reading.ts'

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const SEASONS = 'spring|summer|autumn|fall|winter|quarter'
const NUMBERS = 'an?|two|three|four|five|six|\\d{1,2}'

const TIME = `\\b(?:tomorrow|tonight|today|(?:next|this) (?:week|weekend|month|year|${SEASONS}|${MONTHS}|${DAYS})|(?:in|on|by|until|from|before|after) (?:early |late |mid-?|the end of |the )?(?:${MONTHS}|${DAYS}|${SEASONS}|q[1-4]|20\\d\\d|\\d{1,2}(?:st|nd|rd|th))|in (?:${NUMBERS}) (?:days?|weeks?|months?|years?))\\b`
const TIMED = new RegExp(TIME, 'i')
const TIMES = new RegExp(TIME, 'gi')

/**
 * What tells one plan from others, so that a change of it finds it again: its last name, else its last noun of weight.
 * Times don't, since they are what changes.
 */
function topicOfPlan(act: string): string {
  const untimed = (act.split(/ with /, 1)[0] ?? act).replace(TIMES, ' ')
  const name = untimed.match(/(?<=[\p{L}\d,] )\p{Lu}[\p{L}\p{M}\d]{1,30}/gu)?.at(-1)
  return (name ? contentWords(name)[0] : undefined) ?? contentWords(untimed).at(-1) ?? ''
}

function plan(act: string, { isDenied }: Clause): readonly Finding[] {
  const topic = topicOfPlan(act)
  if (!topic || act.length < 6 || act.length > LONGEST_ACT || POINTING_ACT.test(act)) return NOTHING
  return isDenied ? dropped(act) : [{ kind: 'plan', topic, value: act }]
}

/** Plans are given up in other words than they were told in: any of these may be what the plan is known by. */
const dropped = (act: string): readonly Finding[] =>
  [...new Set(contentWords(act.replace(TIMES, ' ')))]
    .slice(-4)
    .map((topic) => ({ kind: 'plan', topic, value: '', isRetraction: true }))

const PLANNED = /^(?:to (?<act>.*)|on (?<doing>\p{L}+ing\b.*))$/u
const PLANNED_THING = /^(?:an?|our|my|the|his|her|their) \p{L}.*$/u
const GOING = /^going (?=to (?:an? |the |my |our |his |her |\p{Lu}))/u
const GIVEN_UP = /^(?:(?:the|my|our|his|her|their|on|up|off) )*(?<what>(?!it\b|that\b|them\b).{3,80})$/

function planned(clause: Clause): readonly Finding[] {
  const rest = actOf(clause.rest)
  const { act, doing } = groupsIn(rest, PLANNED)
  const thing = clause.verb === 'planning' ? PLANNED_THING.exec(rest)?.[0] : undefined
  const ahead = act ?? doing ?? thing
  return ahead ? plan(ahead, clause) : NOTHING
}

function timed(act: string, clause: Clause): readonly Finding[] {
  return TIMED.test(act) ? plan(act, clause) : NOTHING
}

function going(clause: Clause): readonly Finding[] {
  const act = actOf(clause.rest)
  return GOING.test(act) && TIMED.test(act) ? plan(act.replace(GOING, 'go '), clause) : NOTHING
}

function givenUp({ verb, rest }: Clause): readonly Finding[] {
  if (verb === 'called' && !/^off /.test(rest)) return NOTHING
  const { what } = groupsIn(actOf(rest), GIVEN_UP)
  return what ? dropped(what) : NOTHING
}

export const PLAN_READERS: readonly Reader[] = [
  ['plan plans planning', [], planned],
  [
    'moving relocating flying traveling travelling launching opening migrating switching upgrading hiring retiring starting releasing expanding closing',
    [],
    (clause) => timed(`${clause.verb} ${actOf(clause.rest)}`, clause)
  ],
  ['am is are', [], going],
  ['cancelled canceled called dropped scrapped abandoned shelved', ['isAhead', 'isDenied'], givenUp],
  ['decided', [], after(/^(?:not to|against) /, ({ rest }) => dropped(actOf(rest)))]
]

/** `Will open a shop in May`, `is going to …`: with a time it is a plan, whatever the verb. */
export const readAhead = (clause: Clause): readonly Finding[] =>
  clause.isAhead ? timed(`${clause.verb} ${actOf(clause.rest)}`, clause) : NOTHING
