// Where people live, how they are reached, what they must not eat, what they speak.
import type { Clause } from './clause.ts'
import type { Finding, Reader } from './reading.ts'
import { atStart, END, groupsIn, isCalendarWord, NOT_OF_ONE_NOW, PLACE, trimName } from './reading.ts'

const LIVES_IN = atStart`(?:back )?in (?<place>${PLACE})${END}`
const BASED_IN = atStart`(?:based|located|headquartered) (?:in|out of) (?<place>${PLACE})${END}`
const MOVED_TO = atStart`(?:back |over |out )?(?:here )?(?:from ${PLACE} )?to (?<place>${PLACE})(?: from ${PLACE})?${END}`
const MOVED_OUT = atStart`(?:away from|out of|from) (?<place>${PLACE})(?! to )${END}`

/** People and teams move to products and plans, too: `HubSpot`, `Premium`. Nobody writes `Premium, Ohio`. */
const NO_PLACE =
  /\p{Ll}\p{Lu}|[\d.]|^(?:Premium|Pro|Plus|Basic|Starter|Growth|Business|Enterprise|Standard|Slack|Zoom|Teams|Notion|Excel|Google|Microsoft|Apple|Android|Linux|Windows|Shopify|Salesforce|Stripe|Agile|Scrum|Kanban)(?!\p{L})/u

const isPlaceOf = (place: string, { verb }: Clause): boolean =>
  !isCalendarWord(place) && (!/^mov/.test(verb) || place.includes(', ') || !NO_PLACE.test(place))

function placeIn(rest: string, pattern: RegExp, clause: Clause, isRetraction = clause.isDenied) {
  const place = trimName(groupsIn(rest, pattern).place ?? '')
  if (!place || !(isRetraction || isPlaceOf(place, clause))) return []
  return [{ kind: 'place' as const, value: place, isRetraction }]
}

const DIET = atStart`(?:an? )?(?:strict(?:ly)? )?(?<diet>vegetarian|vegan|pescatarian|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|diabetic|teetotal|colou?r[- ]?blind|wheelchair user|hard of hearing)${END}`
const ALLERGY =
  /^(?:severely |highly )?allergic to (?<what>(?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})(?=[.,;!)]|$| (?:and|but|so|since)\b)/

const LANGUAGE_NAMES =
  'English|Spanish|French|German|Portuguese|Italian|Dutch|Russian|Arabic|Chinese|Mandarin|Cantonese|Japanese|Korean|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Hebrew|Hindi|Urdu|Bengali|Tamil|Punjabi|Farsi|Persian|Vietnamese|Thai|Indonesian|Malay|Tagalog|Ukrainian|Swedish|Norwegian|Danish|Finnish|Icelandic|Catalan|Basque|Croatian|Serbian|Slovenian|Albanian|Lithuanian|Latvian|Estonian|Swahili|Zulu|Afrikaans|Irish|Welsh'
const SPEAKS = atStart`(?<only>only )?(?:fluent |native |some |a little )?(?<languages>(?:${LANGUAGE_NAMES})(?:(?:, and | and |, )(?:${LANGUAGE_NAMES})){0,4})(?: fluently| well| natively)?${END}`

function newPlace(clause: Clause): readonly Finding[] {
  const to = placeIn(clause.rest, MOVED_TO, clause)
  return to.length > 0 ? to : placeIn(clause.rest, MOVED_OUT, clause, true)
}

function dietOf(clause: Clause): readonly Finding[] {
  const { diet, what } = groupsIn(stateOf(clause), DIET, ALLERGY)
  const isRetraction = clause.isDenied
  if (diet) return [{ kind: 'health', topic: `diet ${diet.replace('-', ' ')}`, value: diet, isRetraction }]
  if (!what) return []
  return [{ kind: 'health', topic: `allergy ${what}`, value: `allergic to ${what}`, isRetraction }]
}

function spoken({ rest, verb, person, isDenied }: Clause): readonly Finding[] {
  const { only, languages } = groupsIn(verb === 'speak' && person === 'other' ? '' : rest, SPEAKS)
  if (!languages) return []
  return [
    { kind: 'preference', topic: 'language', value: `speaks ${isDenied ? 'no ' : (only ?? '')}${languages}` }
  ]
}

export const LIFE_READERS: readonly Reader[] = [
  [
    'live lives living reside resides residing',
    NOT_OF_ONE_NOW,
    (clause) => placeIn(clause.rest, LIVES_IN, clause)
  ],
  [
    'am is are based located headquartered',
    ['isAhead'],
    (clause) => placeIn(stateOf(clause), BASED_IN, clause)
  ],
  ['moved relocated', ['isAhead', 'isDenied'], newPlace],
  ['am is vegetarian vegan allergic lactose gluten', NOT_OF_ONE_NOW, dietOf],
  ['speak speaks', NOT_OF_ONE_NOW, spoken]
]

/** `is based in …`, and in a note `Based in …`. */
const stateOf = ({ verb, rest }: Clause): string => (/^(?:am|is|are)$/.test(verb) ? rest : `${verb} ${rest}`)
