// What somebody has: `my wife is Ana`, `the customer's e-mail is …`, `my goal is to …`; and the lines of a form.

import type { Clause } from './clause.ts'
import { foldValue } from './fold-value.ts'
import { atStart, END, isCalendarWord, NAME, PLACE, PROPER, trimName } from './fragments.ts'
import { topicOfGoal } from './read-wishes.ts'
import { OFFICE } from './read-work.ts'
import { type Finding, NOTHING, type Reader, words } from './reading.ts'

const ONE_OF_A_KIND =
  'wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|mother|mom|mum|father|dad|boss|manager|assistant|accountant|lawyer|doctor|dentist|landlord|supervisor'
const ONE_OF_SEVERAL =
  'son|daughter|child|kid|baby|brother|sister|sibling|twin|cousin|aunt|uncle|nephew|niece|grandmother|grandma|grandfather|grandpa|grandson|granddaughter|mother-in-law|father-in-law|sister-in-law|brother-in-law|stepmother|stepfather|godmother|godfather|friend|best friend|roommate|neighbou?r|colleague|coworker|co-worker|teacher|coach|dog|cat|puppy|kitten|parrot|horse|rabbit|hamster|pet'

const RELATED = atStart(
  `(?:(?:older|younger|eldest|oldest|youngest|big|little|late|new|twin|lovely|dear) )?(?<relation>${ONE_OF_A_KIND}|${ONE_OF_SEVERAL})(?:'s name is|,| is| is called| is named| named| called)? (?<name>${NAME})(?![\\p{L}\\p{M}'-])`
)

const EMAIL = '[\\w.+-]{1,64}@[a-zA-Z\\d-]{1,63}(?:\\.[a-zA-Z\\d-]{1,63}){1,4}'
const PHONE = '\\+?\\(?\\d[\\d ().-]{5,18}\\d'
const ADJECTIVES =
  '(?:(?:new|direct|work|personal|private|best|main|current|preferred|mobile|cell|office|home|business|contact) ){0,3}'
const EMAIL_IS = atStart(
  `${ADJECTIVES}[Ee]-?mail(?: address)?(?: is(?: now)?|:| changed to) (?<email>${EMAIL})`
)
const PHONE_IS = atStart(
  `${ADJECTIVES}(?:[Pp]hone|[Mm]obile|[Cc]ell|[Nn]umber|[Tt]elephone|[Ww]hats[Aa]pp)(?: number| phone)?(?: is(?: now)?|:| changed to) (?<phone>${PHONE})(?!\\d)`
)
const NAME_IS = atStart(`(?:full |first |last )?name is (?<name>${NAME})${END}`)
const ROLE_IS = atStart(
  `(?:new |current )?(?:job|role|title|job title|position|profession|occupation) is (?:as )?(?:an? |the )?(?<role>${OFFICE})${END}`
)
const COMPANY_IS = atStart(
  `(?:new |current )?(?:company|employer|business|firm)(?:'s name)? is (?:called |named )?(?<company>${PROPER})${END}`
)
const HOME_IS = atStart(
  `(?:new |current )?(?:home|home ?town|location|headquarters|city) is (?:now )?(?:in )?(?<place>${PLACE})${END}`
)
const GOAL_IS =
  /^(?:main |ultimate |biggest |big |long-term |current |personal |new )?(?:goal|aim|objective)(?: for [\w ]{1,20})? is (?:to (?<act>.{3,160})|(?<gain>[a-z].{3,160}))$/
const FAVOURITE =
  /^(?:all-time |absolute )?favou?rite (?<thing>(?!thing|one\b|part|stuff|bit|memory|memories|way|time|things)[a-z]{2,20}(?: [a-z]{2,20}){0,2}) (?:is|are) (?<value>(?!when|that|how|to|because|probably|this|these|those|it\b|not\b|also|a bit|hard)[\p{L}\p{M}\d' -]{2,40})(?=[.,;!]|$)/u
const PREFERRED =
  /^preferred (?<thing>[a-z]{2,20}(?: [a-z]{2,20}){0,2}) (?:is|are) (?<value>[\p{L}\p{M}\d:' -]{2,60})(?=[.,;!]|$)/u

const FORM_LABELS: readonly (readonly [RegExp, string])[] = [
  [/^(?:full )?name$/i, 'name is'],
  [/^(?:role|title|job|job title|position|occupation)$/i, 'role is'],
  [/^(?:company|employer|organi[sz]ation)$/i, 'company is'],
  [/^(?:place|location|city|based|lives|home)$/i, 'home is'],
  [/^e-?mail$/i, 'email is'],
  [/^(?:phone|mobile|cell|tel|telephone)$/i, 'phone is']
]

/** A line of a form, such as `Role: CFO`. */
export function readForm(line: string): readonly Finding[] {
  const [, label, value] = /^(\p{L}[\p{L} -]{1,20}): (.{1,100})$/u.exec(line) ?? []
  const has = FORM_LABELS.find(([pattern]) => label !== undefined && pattern.test(label))
  return has && value ? readPossessed(`${has[1]} ${value}`) : NOTHING
}

/** What the text behind `my`, `his` or `Dana's` says of the one it belongs to. */
export function readPossessed(text: string): readonly Finding[] {
  const { email } = EMAIL_IS.exec(text)?.groups ?? {}
  if (email) return [{ kind: 'contact', topic: 'email', value: trimName(email) }]
  const { phone } = PHONE_IS.exec(text)?.groups ?? {}
  if (phone && phone.replace(/\D/g, '').length >= 7)
    return [{ kind: 'contact', topic: 'phone', value: phone }]
  const { name } = NAME_IS.exec(text)?.groups ?? {}
  if (name) return isCalendarWord(name) ? NOTHING : [{ kind: 'name', value: trimName(name) }]
  const { role } = ROLE_IS.exec(text)?.groups ?? {}
  if (role) return [{ kind: 'role', value: role }]
  const { company } = COMPANY_IS.exec(text)?.groups ?? {}
  if (company) return [{ kind: 'company', value: trimName(company) }]
  const { place } = HOME_IS.exec(text)?.groups ?? {}
  if (place) return [{ kind: 'place', value: trimName(place) }]
  return relationOf(text) ?? tasteOf(text) ?? NOTHING
}

function relationOf(text: string): readonly Finding[] | undefined {
  const { relation, name } = RELATED.exec(text)?.groups ?? {}
  if (!relation || !name || isCalendarWord(name)) return undefined
  return [relative(relation, name)]
}

const ONE = new RegExp(`^(?:${ONE_OF_A_KIND})$`)

const relative = (relation: string, name: string): Finding => ({
  kind: 'relation',
  topic: topicOfRelation(relation, trimName(name)),
  value: `${relation} ${trimName(name)}`
})

/** Of a wife there is one, of daughters as many as there are names. */
export const topicOfRelation = (relation: string, name: string): string =>
  ONE.test(relation) ? relation : `${relation} ${foldValue(name)}`

const NAMED_ONES = atStart(
  `(?:an?|one|two|three|four|another|both an?) (?:[\\p{L}-]{2,20} ){0,2}?(?<relation>${ONE_OF_SEVERAL})(?:s|ren)?,? (?:named|called) (?<name>${NAME})(?:(?:,| and) (?<other>${NAME}))?${END}`
)

/** `Has two kids named Tom and Ana.` */
function readNamedOnes({ rest, person, isDenied, isAhead }: Clause): readonly Finding[] {
  const { relation, name, other } = NAMED_ONES.exec(rest)?.groups ?? {}
  if (!relation || isAhead || person === 'we') return NOTHING
  return [name, other].flatMap((one) =>
    one && !isCalendarWord(one) ? [{ ...relative(relation, one), isRetraction: isDenied }] : []
  )
}

export const RELATION_READERS: readonly Reader[] = [
  { verbs: words('have has got adopted'), read: readNamedOnes }
]

function tasteOf(text: string): readonly Finding[] | undefined {
  const favourite = FAVOURITE.exec(text)?.groups
  if (favourite?.thing && favourite.value) {
    const { thing, value } = favourite
    return [{ kind: 'like', topic: `favourite ${thing}`, value: `favourite ${thing}: ${value}` }]
  }
  const preferred = PREFERRED.exec(text)?.groups
  if (preferred?.thing && preferred.value) {
    const { thing, value } = preferred
    return [{ kind: 'preference', topic: thing, value: `${value} as ${thing}` }]
  }
  const goal = GOAL_IS.exec(text)?.groups
  const act = goal?.act ?? goal?.gain
  if (!act) return undefined
  return [{ kind: 'goal', topic: topicOfGoal(act), value: act, needsRepeating: true }]
}
