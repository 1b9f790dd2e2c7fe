// What somebody has: `my wife is Ana`, `the customer's e-mail is …`, `my goal is to …`; and the lines of a form.
import type { Clause } from './clause.ts'
import { type FactKind, foldValue } from './fact.ts'
import { topicOfGoal } from './read-taste.ts'
import { OFFICE } from './read-work.ts'
import type { Finding, Reader } from './reading.ts'
import { atStart, END, groupsIn, isCalendarWord, NAME, PLACE, PROPER, trimName } from './reading.ts'

const ONE_OF_A_KIND =
  'wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|mother|mom|mum|father|dad|boss|manager|assistant|accountant|lawyer|doctor|dentist|landlord|supervisor'
const ONE_OF_SEVERAL =
  'son|daughter|child|kid|baby|brother|sister|sibling|twin|cousin|aunt|uncle|nephew|niece|grandmother|grandma|grandfather|grandpa|grandson|granddaughter|mother-in-law|father-in-law|sister-in-law|brother-in-law|stepmother|stepfather|godmother|godfather|friend|best friend|roommate|neighbou?r|colleague|coworker|co-worker|teacher|coach|dog|cat|puppy|kitten|parrot|horse|rabbit|hamster|pet'

const RELATED = atStart`(?:(?:older|younger|eldest|oldest|youngest|big|little|late|new|twin|lovely|dear) )?(?<relation>${ONE_OF_A_KIND}|${ONE_OF_SEVERAL})(?:'s name is|,| is| is called| is named| named| called)? (?<name>${NAME})(?![\p{L}\p{M}'-])`

const GOAL_IS =
  /^(?:main |ultimate |biggest |big |long-term |current |personal |new )?(?:goal|aim|objective)(?: for [\w ]{1,20})? is (?:to (?<act>.{3,160})|(?<gain>[a-z].{3,160}))$/
const FAVOURITE =
  /^(?:all-time |absolute )?favou?rite (?<favourite>(?!thing|one\b|part|stuff|bit|memory|memories|way|time|things)[a-z]{2,20}(?: [a-z]{2,20}){0,2}) (?:is|are) (?<value>(?!when|that|how|to|because|probably|this|these|those|it\b|not\b|also|a bit|hard)[\p{L}\p{M}\d' -]{2,40})(?=[.,;!]|$)/u
const PREFERRED =
  /^preferred (?<preferred>[a-z]{2,20}(?: [a-z]{2,20}){0,2}) (?:is|are) (?<value>[\p{L}\p{M}\d:' -]{2,60})(?=[.,;!]|$)/u

const FORM_LABELS: readonly (readonly [RegExp, string])[] = [
  [/^(?:full )?name$/i, 'name is'],
  [/^(?:role|title|job|job title|position|occupation)$/i, 'role is'],
  [/^(?:company|employer|organi[sz]ation)$/i, 'company is'],
  [/^(?:place|location|city|based|lives|home)$/i, 'home is']
]

export function readForm(line: string): readonly Finding[] {
  const [, label, value] = /^(\p{L}[\p{L} -]{1,20}): (.{1,100})$/u.exec(line) ?? []
  const has = FORM_LABELS.find(([pattern]) => label !== undefined && pattern.test(label))
  return has && value ? readPossessed(`${has[1]} ${value}`) : []
}

/** By the kind of fact that it tells; telephone numbers and mail addresses are read by their form. */
const OWN = {
  name: atStart`(?:full |first |last )?name is (?<value>${NAME})${END}`,
  role: atStart`(?:new |current )?(?:job|role|title|job title|position|profession|occupation) is (?:as )?(?:an? |the )?(?<value>${OFFICE})${END}`,
  company: atStart`(?:new |current )?(?:company|employer|business|firm)(?:'s name)? is (?:called |named )?(?<value>${PROPER})${END}`,
  place: atStart`(?:new |current )?(?:home|home ?town|location|headquarters|city) is (?:now )?(?:in )?(?<value>${PLACE})${END}`
}

/** What the text behind `my`, `his` or `Dana's` says of the one it belongs to. */
export function readPossessed(text: string): readonly Finding[] {
  for (const [key, pattern] of Object.entries(OWN)) {
    const { value } = groupsIn(text, pattern)
    if (!value) continue
    if (key === 'name' && isCalendarWord(value)) return []
    return [{ kind: key as FactKind, topic: '', value: key === 'role' ? value : trimName(value) }]
  }
  const { relation, name } = groupsIn(text, RELATED)
  return relation && name && !isCalendarWord(name) ? [relative(relation, name)] : tasteOf(text)
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

const NAMED_ONES = atStart`(?:an?|one|two|three|four|another|both an?) (?:[\p{L}-]{2,20} ){0,2}?(?<relation>${ONE_OF_SEVERAL})(?:s|ren)?,? (?:named|called) (?<name>${NAME})(?:(?:,| and) (?<other>${NAME}))?${END}`

export const RELATION_READERS: readonly Reader[] = [
  ['have has got adopted', ['isAhead', 'isPlural'], namedOnes]
]

function namedOnes({ rest, isDenied }: Clause): readonly Finding[] {
  const { relation, name, other } = groupsIn(rest, NAMED_ONES)
  return [name, other].flatMap((one) =>
    relation && one && !isCalendarWord(one) ? [{ ...relative(relation, one), isRetraction: isDenied }] : []
  )
}

function tasteOf(text: string): readonly Finding[] {
  const { favourite, preferred, value = '', act, gain } = groupsIn(text, FAVOURITE, PREFERRED, GOAL_IS)
  if (favourite)
    return [{ kind: 'like', topic: `favourite ${favourite}`, value: `favourite ${favourite}: ${value}` }]
  if (preferred) return [{ kind: 'preference', topic: preferred, value: `${value} as ${preferred}` }]
  const goal = act ?? gain
  return goal ? [{ kind: 'goal', topic: topicOfGoal(goal), value: goal, needsRepeating: true }] : []
}
