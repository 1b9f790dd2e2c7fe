// What has happened that will matter later, what is ahead, and what was given up.
import type { Clause } from './clause.ts'
import { after, atStart, contentWords, type Finding, groupsIn, type Reader } from './reading.ts'

const ACT_ENDS =
  /[;!?…—–]|\.(?=\s|$)| - |,? (?:because|since|but|so (?:I|we|he|she|they|that)|which|although|though|and (?:I|he|she|we|they|it)\b)(?:\s|$)/

/** What was or will be done, without what comes of it. */
const actOf = (rest: string): string => (rest.split(ACT_ENDS, 1)[0] ?? '').trim().replace(/,.{0,40}$/, '')

const LONGEST_ACT = 100

const POINTING_ACT =
  /\b(?:it|this (?!week|weekend|month|year|spring|summer|autumn|fall|winter)|that|them|these|those|you|your|something|somewhere|things?|stuff|ones?|more|soon enough)\b/i

const ANY = '(?:an?|the|our|my|his|her|their|two|three|another)'

/** What a life or a business turns on, when somebody signs, buys, opens, joins or loses it. */
const WEIGHTY = `${ANY} (?:[\\p{L}\\d-]+ ){0,3}?(?:contract|agreement|lease|subscription|plan|deal|offer|proposal|quote|budget|order|invoice|policy|licen[cs]e|membership|account|house|home|flat|apartment|car|van|truck|boat|company|business|farm|property|land|office|shop|store|restaurant|studio|branch|warehouse|practice|clinic|website|blog|book|album|app|exams?|championship|tournament|award|prize|trophy|scholarship|job|team|gym|choir|band|club|church|board|forum|group|program(?:me)?|course|dogs?|pup|puppy|cats?|kitten|child|baby|wife|husband|mother|father)(?![\\p{L}-])`

/** Verbs, and what must follow them: these are the turns of a life or a business, not whatever was done on a day. */
const EVENTS: readonly (readonly [verbs: string, object: string])[] = [
  [
    'got was were been',
    '(?:just |recently |finally )?(?:married|engaged|divorced|promoted(?! to)|laid off|elected|diagnosed with)(?![\\p{L}-])'
  ],
  ['had', `(?:${ANY} )?(?:first |second |third )?(?:baby|twins|surgery|operation|stroke)(?![\\p{L}-])`],
  ['graduated retired', '(?:$|(?:from|in|with|last|this|as|after) )'],
  [
    `signed renewed cancelled canceled terminated extended upgraded downgraded approved rejected accepted paid declined
    bought sold purchased rented adopted opened launched started founded closed passed failed won lost joined published
    released`,
    WEIGHTY
  ]
]

export const EVENT_READERS = EVENTS.map(
  ([verbs, object]): Reader => [verbs, ['isAhead', 'isDenied'], happening(atStart`(?:${object})`)]
)

function happening(object: RegExp) {
  return ({ verb, rest }: Clause): readonly Finding[] => {
    const act = actOf(rest)
    if (!object.test(act) || POINTING_ACT.test(act)) return []
    const value = `${verb} ${act.split(/ and /, 1)[0] ?? ''}`.trim()
    if (value.length > LONGEST_ACT) return []
    return [{ kind: 'event', topic: contentWords(value).slice(0, 3).join(' '), value }]
  }
}

/** `The budget was approved`, `contract signed`: whoever did it. */
const BUSINESS =
  /^(?:(?:the|our|their|his|her|annual|new) )*(?<what>(?:[\p{L}\d-]{2,20} ){0,2}?(?:budget|contract|invoice|deal|payment|order|proposal|refund|renewal|quote|agreement|subscription|lease|upgrade|offer|loan|mortgage))(?: (?:was|is|has been|got|were))? (?<fate>approved|signed|cancelled|canceled|rejected|paid|closed|renewed|refunded|delayed|postponed|accepted|declined|won|lost|terminated|delivered|granted)(?=$|[.,;!]| (?:by|on|in|for|until|to|with|and|last|this|yesterday|today)\b)/iu

export function readBusiness(text: string): readonly Finding[] {
  const { what, fate } = groupsIn(text, BUSINESS)
  const topic = what ? contentWords(what).join(' ') : ''
  return topic ? [{ kind: 'event', topic: `business ${topic}`, value: `${what} ${fate}` }] : []
}

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
  if (!topic || act.length < 6 || act.length > LONGEST_ACT || POINTING_ACT.test(act)) return []
  return isDenied ? dropped(act) : [{ kind: 'plan', topic, value: act }]
}

/** Plans are given up in other words than they were told in: any of these may be what the plan is known by. */
const dropped = (act: string): readonly Finding[] =>
  [...new Set(contentWords(act.replace(TIMES, ' ')))]
    .slice(-4)
    .map((topic) => ({ kind: 'plan', topic, value: '', isRetraction: true }))

const PLANNED = /^(?:to (?<act>.*)|on (?<doing>\p{L}+ing\b.*))$/u
const PLANNED_THING = /^(?:an?|our|my|the|his|her|their) \p{L}.*$/u
const GIVEN_UP = /^(?:(?:the|my|our|his|her|their|on|up|off) )*(?<what>(?!it\b|that\b|them\b).{3,80})$/

function planned(clause: Clause): readonly Finding[] {
  const rest = actOf(clause.rest)
  const { act, doing } = groupsIn(rest, PLANNED)
  const thing = clause.verb === 'planning' ? PLANNED_THING.exec(rest)?.[0] : undefined
  const ahead = act ?? doing ?? thing
  return ahead ? plan(ahead, clause) : []
}

function timed(act: string, clause: Clause): readonly Finding[] {
  return TIMED.test(act) ? plan(act, clause) : []
}

function givenUp({ verb, rest }: Clause): readonly Finding[] {
  if (verb === 'called' && !/^off /.test(rest)) return []
  const { what } = groupsIn(actOf(rest), GIVEN_UP)
  return what ? dropped(what) : []
}

export const PLAN_READERS: readonly Reader[] = [
  ['plan plans planning', [], planned],
  [
    'going moving relocating flying traveling travelling launching opening migrating switching upgrading hiring retiring starting releasing expanding closing',
    [],
    (clause) => timed(`${clause.verb} ${actOf(clause.rest)}`, clause)
  ],
  ['cancelled canceled called dropped scrapped abandoned shelved', ['isAhead', 'isDenied'], givenUp],
  ['decided', [], after(/^(?:not to|against) /, ({ rest }) => dropped(actOf(rest)))]
]

/** `Will open a shop in May`, `is going to …`: with a time it is a plan, whatever the verb. */
export const readAhead = (clause: Clause): readonly Finding[] =>
  clause.isAhead ? timed(`${clause.verb} ${actOf(clause.rest)}`, clause) : []
