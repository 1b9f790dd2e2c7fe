// What people like, prefer, ask for and want to reach.
import type { Clause } from './clause.ts'
import type { Finding, Reader } from './reading.ts'
import { after, contentWords, groupsIn, NARROWED, POINTING_WITHIN, untilEnd } from './reading.ts'

/** Nothing to like by itself: a pronoun, or what stands before the speakers. */
const NOTHING_TO_LIKE =
  /^(?:it|that|this|these|those|them|him|her|you|your|yours|my|me|us|our|ones?|not|how|what|when|where|why|who|which|every|everything|nothing|something|anything|all|both|each|some|other|another|more|most|less|so|there|here|the|an?|such|his|their|its|i|we|they|he|she|hearing|seeing|being|having|knowing|getting|sharing|doing|making|to (?:hear|see|know|be|have|do|get|say|think|share|make))\b/i

const LAST_WORDS =
  / (?:itself|sometimes|a lot|very much|so much|the most|a bit|anymore|any more|too|as well)$/i

/** In a note about a customer an article names the thing; in talk it points at what is before the speakers. */
function thingOf(rest: string, { person }: Clause): string | undefined {
  const value = untilEnd(rest)
    .replace(/^also /i, '')
    .replace(LAST_WORDS, '')
  const bare = person === 'other' ? value.replace(/^(?:the|an?) /i, '') : value
  if (bare.length < 3 || bare.split(' ').length > 6 || !/^[\p{L}\p{N}]/u.test(bare)) return undefined
  return NOTHING_TO_LIKE.test(bare) || POINTING_WITHIN.test(bare) || NARROWED.test(bare) ? undefined : bare
}

/** `to hike` and `hiking` are the same. */
export const topicOfThing = (thing: string): string =>
  contentWords(thing)
    .map((word) => word.replace(/^(\p{L}{3,}?)(?:(\p{L})\2)?ing$/u, '$1$2').replace(/(\p{L}{3,})e$/u, '$1'))
    .join(' ')

const taste =
  (likes: boolean) =>
  (clause: Clause): readonly Finding[] => {
    const { subject, rest, person, isDenied, isEnded, isAhead, isPast } = clause
    if (person === 'we' || isAhead || isPast) return []
    const thing = thingOf(rest, clause)
    const topic = thing ? topicOfThing(thing) : ''
    if (!topic) return []
    // "Doesn't like" is a dislike, and "no longer likes" only the end of a liking.
    const isLike = isDenied && !isEnded ? !likes : likes
    const value = `${isLike ? 'likes' : 'dislikes'} ${thing}`
    return [{ kind: 'like', topic, value, isRetraction: isEnded, needsRepeating: subject.name !== '' }]
  }

const FAN =
  /^(?:an? )?(?:(?:big|huge|massive|great|real|total|die-?hard) )?(?:fan of |fond of |keen on |passionate about |crazy about |(?:(?:really|very|super|totally|more|still) )?into )/i

const CHANNEL =
  /^(?:by |via |through |using |on |over )?(?:e-?mails?|(?:the )?phone|phone calls?|calls?|calling|texts?|texting|text messages?|sms|whatsapp|letters?|post|chat|video calls?|zoom|in person|meetings?|telegram|slack)$/
const WHEN =
  /\b(?:after|before|between|from|until|in the|on|at|weekdays?|weekends?|mornings?|afternoons?|evenings?|noon|\d{1,2})\b/i
const CONTACTED = /^(?:to be |being |be |a |an )?(?:call|phone|ring|contact|reach)/i
const CHOICE = /^(.{2,60}?) (?:over|to|rather than|instead of|than) (.{2,60})$/

/** By which a newer preference takes its place: what it chooses from, how or when to be reached, or the thing. */
function topicOfPreference(value: string): string {
  const folded = value
    .toLowerCase()
    .replace(/^(?:to be |being |be )?(?:contacted|reached) (?=by |via |through |on )/, '')
  const [, chosen = folded, other = folded] = CHOICE.exec(folded) ?? []
  if (CHANNEL.test(chosen) && CHANNEL.test(other)) return 'channel'
  if (CONTACTED.test(folded) && WHEN.test(folded)) return 'contact time'
  if (chosen === other || folded.startsWith('to ')) return headOf(folded)
  return [headOf(chosen), headOf(other)].sort().join(' or ')
}

const MODIFIER =
  / (?:after|before|by|on|in|at|with|for|from|of|over|via|between|during|without|to|per|early|late|only) /

/** `window seats in front` → `seat`; `to pay by card` → `pay`. */
function headOf(text: string): string {
  const isVerb = text.startsWith('to ')
  const [first = ''] = (isVerb ? text.slice('to '.length) : text).split(MODIFIER, 1)
  const named = contentWords(first)
  return (isVerb ? named[0] : named.at(-1)) ?? contentWords(text)[0] ?? text
}

const NOTHING_TO_PREFER =
  /^(?:(?:the|an?) (?:first|second|last|latter|former|other|same)|it|that|this|these|those|them|him|her|you|your|yours|my|me|us|ones?|not|how|what|when|where|why|who|which|all|both|each|some|other|another|more|most|less|so|there|here|his|their|its)\b/i

function preference({ rest, person, isDenied, isAhead }: Clause): readonly Finding[] {
  const value = untilEnd(rest)
  if (value.length < 3 || value.length > 90 || person === 'we' || isAhead) return []
  if (NOTHING_TO_PREFER.test(value) || /\b(?:you|your|it|this|these|those)\b/i.test(value)) return []
  return [{ kind: 'preference', topic: topicOfPreference(value), value, isRetraction: isDenied }]
}

const NOT_WANTED =
  /^(?:to (?:be|get|receive) |any |our |more )?(?:called|calls?|contacted|contact|emailed|e-?mails?|texts?|texted|phoned|marketing|promotional|newsletters?|reminders?)\b/i
const ACT =
  /^to (?!hear\b|see\b|know\b|be there|come with|join you|thank|say\b|share\b|tell\b|ask\b|talk\b|speak to|make sure|check\b|let )/

function wish(clause: Clause): readonly Finding[] {
  const { subject, rest, isDenied, isEnded, isAhead, isPast } = clause
  const value = untilEnd(rest)
  if (isAhead || isPast || value.length > 120) return []
  if (isDenied && NOT_WANTED.test(value)) return unwanted(value, clause)
  if (isDenied && !isEnded) return []
  if (!ACT.test(value) || NARROWED.test(value) || POINTING_WITHIN.test(value)) return []
  const act = value.slice('to '.length)
  const topic = topicOfGoal(act)
  if (!topic) return []
  return [{ kind: 'goal', topic, value: act, isRetraction: isEnded, needsRepeating: subject.name !== '' }]
}

export const topicOfGoal = (act: string): string => contentWords(act).slice(0, 3).join(' ')

/** `Doesn't want to be called before 9`, `doesn't want any newsletters`. */
function unwanted(value: string, { person }: Clause): readonly Finding[] {
  if (person === 'we') return []
  const without = value.replace(/^(?:any|our|more) /i, '')
  const topic = topicOfPreference(value.replace(/^to /, ''))
  return [{ kind: 'preference', topic, value: `${without.startsWith('to ') ? 'not' : 'no'} ${without}` }]
}

export const TASTE_READERS: readonly Reader[] = [
  ['like likes liking love loves loving enjoy enjoys enjoying adore adores', [], taste(true)],
  ['hate hates hating dislike dislikes detest detests loathe loathes', [], taste(false)],
  ['cannot', [], after(/^stand /, taste(false))],
  ['am is', [], after(FAN, taste(true))],
  ['prefer prefers preferring', [], preference],
  ['would', [], after(/^(?:really |much |also )?prefer /, preference)],
  ['want wants wanting aim aims aiming hope hopes hoping', [], wish]
]

const REQUEST =
  /^please (?:(?<only>only|always) |(?<not>do not|never) )?(?<act>call|phone|text|e-?mail|contact|write)(?: to)?(?: (?:me|us|him|her|them|the customer))? (?<rest>(?:only )?(?:after|before|between|on|in the|at|by|via|during|from|outside)\b.{2,60})$/i

/** `Please call me after 6 pm.` */
export function readRequest(text: string): readonly Finding[] {
  const { only, not, act, rest = '' } = groupsIn(text, REQUEST)
  const how = untilEnd(rest)
  if (!act || POINTING_WITHIN.test(how)) return []
  const value = `${not ? 'not to' : only ? `${only.toLowerCase()} to` : 'to'} ${act.toLowerCase()} ${how}`
  return [{ kind: 'preference', topic: WHEN.test(how) ? 'contact time' : 'channel', value }]
}
