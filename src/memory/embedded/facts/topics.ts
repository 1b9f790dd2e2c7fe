// What tells facts of one kind apart, so that a newer one finds the older one that it takes the place of.
import { wordSet } from '../word-lists.ts'
import { foldValue } from './fact.ts'

/** Words that name no thing of their own: articles, pronouns, prepositions and what is done with anything. */
const EMPTY_WORDS = wordSet(`
a an the my our your his her its their this that these those some any all more most of to in on at for with from by
about into and or as up out off over own new next go going take taking make making have having get getting do doing be
being visit visiting start starting see seeing try trying trip plan plans week month year day weekend later early late
soon tomorrow today monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december spring summer autumn winter`)

/** The words of a text that tell it from others, in their order, in a form that singular and plural share. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\d]{1,40}/gu) ?? [])
    .filter((word) => !EMPTY_WORDS.has(word) && !/^\d+$/.test(word))
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))

export const topicOfGoal = (act: string): string => contentWords(act).slice(0, 3).join(' ')

/** `to hike` and `hiking` are the same. */
export const topicOfThing = (thing: string): string =>
  contentWords(thing)
    .map((word) => word.replace(/^(\p{L}{3,}?)(?:(\p{L})\2)?ing$/u, '$1$2').replace(/(\p{L}{3,})e$/u, '$1'))
    .join(' ')

const ONE_OF_A_KIND =
  /^(?:wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|mother|mom|mum|father|dad|boss|manager|assistant|accountant|lawyer|doctor|dentist|landlord|supervisor)$/

/** Of a wife there is one, of daughters as many as there are names. */
export const topicOfRelation = (relation: string, name: string): string =>
  ONE_OF_A_KIND.test(relation) ? relation : `${relation} ${foldValue(name)}`

export const topicOfHealth = (state: string): string =>
  state.startsWith('allergic to ') ? state.replace('allergic to', 'allergy') : `diet ${state}`

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const DAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const SEASONS = 'spring|summer|autumn|fall|winter|quarter'
const TIME = new RegExp(
  `\\b(?:tomorrow|tonight|today|(?:next|this) (?:week|weekend|month|year|${SEASONS}|${MONTHS}|${DAYS})|(?:in|on|by|until|from|before|after) (?:early |late |mid-?|the end of |the )?(?:${MONTHS}|${DAYS}|${SEASONS}|q[1-4]|20\\d\\d|\\d{1,2}(?:st|nd|rd|th))|in (?:an?|two|three|four|five|six|\\d{1,2}) (?:days?|weeks?|months?|years?))\\b`,
  'gi'
)

/** Its last name, else its last noun of weight. Times don't tell plans apart, since they are what changes. */
export function topicOfPlan(act: string): string {
  const untimed = (act.split(/ with /, 1)[0] ?? act).replace(TIME, ' ')
  const name = untimed.match(/(?<=[\p{L}\d,] )\p{Lu}[\p{L}\p{M}\d]{1,30}/gu)?.at(-1)
  return (name ? contentWords(name)[0] : undefined) ?? contentWords(untimed).at(-1) ?? ''
}

/** A plan is given up in other words than it was told in: any of these may be what it is known by. */
export const topicsOfPlan = (act: string): string[] =>
  [...new Set(contentWords(act.replace(TIME, ' ')))].slice(-4)

const CHANNEL =
  /^(?:(?:by|via|on|over) )?(?:the )?(?:e-?mails?|(?:phone )?calls?|phone|calling|texts?|texting|text messages?|sms|whatsapp|letters?|post|chat|video calls?|in person|meetings?)$/
const CONTACT_TIME =
  /^(?:to |be |being |an? )*(?:call|phone|ring|contact|reach).*\b(?:after|before|between|from|until|in the|on|at|week|day|noon|morning|evening|\d)/u

/** What a preference chooses from, how or when to be reached, or the thing. */
export function topicOfPreference(value: string): string {
  const folded = value
    .toLowerCase()
    .replace(/^(?:to )?(?:be |being )?(?:call|contacted|reached) (?=by |via )/, '')
  const options = folded.split(/ (?:over|rather than|instead of|than|to) /, 2)
  if (options.every((option) => CHANNEL.test(option))) return 'channel'
  if (CONTACT_TIME.test(folded)) return 'contact time'
  return options.map(headOf).sort().join(' or ')
}

const MODIFIER =
  / (?:away|after|before|by|on|in|at|with|for|from|of|via|between|during|without|per|early|late|only) /

/** `window seats in front` → `seat`; `to pay by card` → `pay`. */
function headOf(text: string): string {
  const words = contentWords(text.split(MODIFIER, 1)[0] ?? '')
  return words.at(text.startsWith('to ') ? 0 : -1) ?? contentWords(text)[0] ?? text
}
