// Where people live, how they are reached, what they must not eat, what they speak.
import type { Clause } from './clause.ts'
import { atStart, END, isCalendarWord, PLACE, trimName } from './fragments.ts'
import { isKnownPlace } from './place-names.ts'
import { type Finding, NOTHING, type Reader } from './reading.ts'

const LIVES_IN = atStart(`(?:back )?in (?<place>${PLACE})${END}`)
const BASED_IN = atStart(`(?:based|located|headquartered) (?:in|out of) (?<place>${PLACE})${END}`)
const MOVED_TO = atStart(
  `(?:back |over |out )?(?:here )?(?:from ${PLACE} )?to (?<place>${PLACE})(?: from ${PLACE})?${END}`
)
const MOVED_OUT = atStart(`(?:away from|out of|from) (?<place>${PLACE})(?! to )${END}`)

const isPlaceOf = (place: string, { verb }: Clause): boolean => {
  if (isCalendarWord(place)) return false
  if (isKnownPlace(place) || !/^mov/.test(verb)) return true
  // People and teams move to products and plans, too. Nobody writes `Premium, Ohio`.
  return place.includes(', ')
}

function placeOf(
  match: RegExpExecArray | null,
  clause: Clause,
  isRetraction = clause.isDenied
): readonly Finding[] {
  const place = trimName(match?.groups?.place ?? '')
  if (!place || !(isRetraction || isPlaceOf(place, clause))) return NOTHING
  return [{ kind: 'place', value: place, isRetraction }]
}

const DIET = atStart(
  `(?:an? )?(?:strict(?:ly)? )?(?<diet>vegetarian|vegan|pescatarian|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|diabetic|teetotal|colou?r[- ]?blind|wheelchair user|hard of hearing)${END}`
)
const ALLERGY =
  /^(?:severely |highly )?allergic to (?<what>(?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})(?=[.,;!)]|$| (?:and|but|so|since)\b)/

const LANGUAGE_NAMES =
  'English|Spanish|French|German|Portuguese|Italian|Dutch|Russian|Arabic|Chinese|Mandarin|Cantonese|Japanese|Korean|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Hebrew|Hindi|Urdu|Bengali|Tamil|Punjabi|Farsi|Persian|Vietnamese|Thai|Indonesian|Malay|Tagalog|Ukrainian|Swedish|Norwegian|Danish|Finnish|Icelandic|Catalan|Basque|Croatian|Serbian|Slovenian|Albanian|Lithuanian|Latvian|Estonian|Swahili|Zulu|Afrikaans|Irish|Welsh'
const SPEAKS = atStart(
  `(?<only>only )?(?:fluent |native |some |a little )?(?<languages>(?:${LANGUAGE_NAMES})(?:(?:, and | and |, )(?:${LANGUAGE_NAMES})){0,4})(?: fluently| well| natively)?${END}`
)

export const LIFE_READERS: readonly Reader[] = [
  {
    verbs: ['live', 'lives', 'living', 'reside', 'resides', 'residing'],
    read: (clause) =>
      clause.isAhead || clause.person === 'we' ? NOTHING : placeOf(LIVES_IN.exec(clause.rest), clause)
  },
  {
    verbs: ['am', 'is', 'are', 'based', 'located', 'headquartered'],
    read(clause) {
      const rest = /^(?:am|is|are)$/.test(clause.verb) ? clause.rest : `${clause.verb} ${clause.rest}`
      return clause.isAhead ? NOTHING : placeOf(BASED_IN.exec(rest), clause)
    }
  },
  {
    verbs: ['moved', 'relocated'],
    read(clause) {
      if (clause.isAhead || clause.isDenied) return NOTHING
      const to = placeOf(MOVED_TO.exec(clause.rest), clause)
      return to.length > 0 ? to : placeOf(MOVED_OUT.exec(clause.rest), clause, true)
    }
  },
  {
    verbs: ['am', 'is', 'vegetarian', 'vegan', 'allergic', 'lactose', 'gluten'],
    read({ verb, rest, person, isDenied, isAhead }) {
      if (person === 'we' || isAhead) return NOTHING
      const state = /^(?:am|is)$/.test(verb) ? rest : `${verb} ${rest}`
      const diet = DIET.exec(state)?.groups?.diet
      if (diet)
        return [{ kind: 'preference', topic: diet.replace('-', ' '), value: diet, isRetraction: isDenied }]
      const allergy = ALLERGY.exec(state)?.groups?.what
      if (!allergy) return NOTHING
      return [
        {
          kind: 'preference',
          topic: `allergic ${allergy}`,
          value: `allergic to ${allergy}`,
          isRetraction: isDenied
        }
      ]
    }
  },
  {
    verbs: ['speak', 'speaks'],
    read({ rest, verb, person, isDenied, isAhead }) {
      const { only, languages } =
        SPEAKS.exec(verb === 'speak' && person === 'other' ? '' : rest)?.groups ?? {}
      if (!languages || person === 'we' || isAhead) return NOTHING
      if (isDenied) return [{ kind: 'preference', topic: 'language', value: `speaks no ${languages}` }]
      return [{ kind: 'preference', topic: 'language', value: `speaks ${only ?? ''}${languages}` }]
    }
  }
]
