// What has happened that will matter later: in somebody's life, and in the business with the customer.
import type { Clause } from './clause.ts'
import { atStart, contentWords, type Finding, groupsIn, NOTHING, type Reader } from './reading.ts'

const ACT_ENDS =
  /[;!?…—–]|\.(?=\s|$)| - |,? (?:because|since|but|so (?:I|we|he|she|they|that)|which|although|though|and (?:I|he|she|we|they|it)\b)(?:\s|$)/

/** What was or will be done, without what comes of it. */
export const actOf = (rest: string): string =>
  (rest.split(ACT_ENDS, 1)[0] ?? '').trim().replace(/,.{0,40}$/, '')

export const LONGEST_ACT = 100

/** Means something that was said before, or nothing in particular. */
export const POINTING_ACT =
  /\b(?:it|this (?!week|weekend|month|year|spring|summer|autumn|fall|winter)|that|them|these|those|you|your|something|somewhere|things?|stuff|ones?|more|soon enough)\b/i

const ANY = '(?:an?|the|our|my|his|her|their|two|three|another)'
const thing = (nouns: string): string => `${ANY} (?:[\\p{L}\\d-]+ ){0,3}?(?:${nouns})(?![\\p{L}-])`

/** Verbs, and what must follow them: these are the turns of a life or a business, not whatever was done on a day. */
const EVENTS: Readonly<Record<string, string>> = {
  'got was were been':
    '(?:just |recently |finally )?(?:married|engaged|divorced|promoted(?! to)|laid off|elected|diagnosed with|accepted (?:in)?to)(?![\\p{L}-])',
  had: `(?:${ANY} )?(?:first |second |third )?(?:baby|twins|surgery|miscarriage|heart attack|operation|stroke)(?![\\p{L}-])`,
  'upgraded downgraded switched moved':
    'to (?:an? |the |our )?(?:[\\p{L}\\d-]+ ){1,3}?(?:plan|tier|package|edition|subscription)(?![\\p{L}-])',
  gave: 'birth(?![\\p{L}-])',
  graduated: '(?:$|(?:from|in|with|last|this|as) )',
  retired: '(?:$|(?:from|last|this|in|after) )',
  enrolled: '(?:in|at) ',
  'bought sold purchased rented': thing(
    'house|home|flat|apartment|condo|car|van|truck|boat|company|business|farm|property|land|building|cottage|office|shop|store'
  ),
  'adopted got': thing('dogs?|pup|cats?|pupp(?:y|ies)|kittens?|child|baby|boy|girl|son|daughter'),
  broke:
    '(?:my|his|her|their) (?:[\\p{L}-]+ )?(?:leg|arm|ankle|wrist|foot|hand|hip|shoulder|collarbone|finger|toe|nose|ribs?)(?![\\p{L}-])',
  'signed renewed cancelled canceled terminated extended upgraded downgraded approved rejected accepted paid declined':
    thing(
      'contract|agreement|lease|subscription|plan|deal|offer|proposal|quote|budget|order|invoice|policy|licen[cs]e|nda|NDA|membership|refund|account'
    ),
  'opened launched started founded closed': thing(
    'business|company|store|shop|office|restaurant|studio|branch|location|factory|warehouse|startup|practice|clinic|cafe|café|website|podcast|blog|channel|nonprofit|course|therapy'
  ),
  'passed failed': thing('exams?|test|interview|finals|certification'),
  won: thing(
    'tournament|championship|award|prize|medal|contest|competition|lottery|election|scholarship|grant|title|trophy|cup|lawsuit|bid|tender'
  ),
  lost: '(?:my|his|her|their) (?:job|wife|husband|mother|father|mom|dad|son|daughter|brother|sister|grandmother|grandfather|dog|cat|home|house)(?![\\p{L}-])',
  joined: thing(
    'team|company|firm|board|gym|club|choir|band|army|navy|startup|committee|council|group|church|program(?:me)?|forum|community|league|association|union|class|course|network'
  ),
  'published released': thing('book|novel|album|app|game|paper|article|song|single|memoir')
}

export const EVENT_READERS = Object.entries(EVENTS).map(
  ([verbs, object]): Reader => [verbs, ['isAhead', 'isDenied'], happening(atStart(`(?:${object})`))]
)

function happening(object: RegExp) {
  return ({ verb, rest }: Clause): readonly Finding[] => {
    const act = actOf(rest)
    if (!object.test(act) || POINTING_ACT.test(act)) return NOTHING
    const value = `${verb} ${act.split(/ and /, 1)[0] ?? ''}`.trim()
    if (value.length > LONGEST_ACT) return NOTHING
    return [{ kind: 'event', topic: contentWords(value).slice(0, 3).join(' '), value }]
  }
}

/** `The budget was approved`, `contract signed`: whoever did it. */
const BUSINESS =
  /^(?:(?:the|our|their|his|her|annual|new) )*(?<what>(?:[\p{L}\d-]{2,20} ){0,2}?(?:budget|contract|invoice|deal|payment|order|proposal|refund|renewal|quote|agreement|subscription|lease|upgrade|offer|loan|mortgage))(?: (?:was|is|has been|got|were))? (?<fate>approved|signed|cancelled|canceled|rejected|paid|closed|renewed|refunded|delayed|postponed|accepted|declined|won|lost|terminated|delivered|granted)(?=$|[.,;!]| (?:by|on|in|for|until|to|with|and|last|this|yesterday|today)\b)/iu

export function readBusiness(text: string): readonly Finding[] {
  const { what, fate } = groupsIn(text, BUSINESS)
  const topic = what ? contentWords(what).join(' ') : ''
  return topic ? [{ kind: 'event', topic: `business ${topic}`, value: `${what} ${fate}` }] : NOTHING
}
