// What notes write behind labels, in any language: `Teléfono 555 …`, `neue Adresse Ulmenweg 4`, `allergic to latex`. By
// the words of src/memory/embedded/attributes and the forms of values, with no grammar: where a clause denies or speaks
// of before, its value is no longer so.
import { type Attribute, attributeNamed, placesOf, wordsFor } from '../attributes/attribute.ts'
import { amountsIn, codeIn, emailIn, phoneIn } from '../attributes/shapes.ts'
import { normalise } from '../fold.ts'
import type { Language } from '../language.ts'
import type { Finding } from './english.ts'
import { type FactKind, foldValue } from './fact.ts'
import { topicOfGoal } from './topics.ts'
import {
  ADDRESSEE,
  address,
  allergenOf,
  allergy,
  available,
  budget,
  code,
  diet,
  FROM_TO,
  medication,
  movedTo,
  named,
  plan,
  preference,
  type Read,
  responsible,
  seats,
  state,
  type Told,
  unit,
  vehicle
} from './values.ts'

/** The kind under which a value is kept, and how it is read where its words stand; of some a form alone tells. */
const SLOTS: Partial<Record<Attribute, readonly [kind: FactKind, read?: Read]>> = {
  phone: ['contact'],
  email: ['contact'],
  policy: ['detail', code],
  id: ['detail', code],
  plate: ['detail', code],
  code: ['detail', code],
  insurer: ['detail', named],
  area: ['detail', named],
  allergy: ['health', allergy],
  diet: ['health', diet],
  condition: ['health', state],
  medication: ['health', medication],
  address: ['place', address],
  plan: ['detail', plan],
  vehicle: ['detail', vehicle],
  room: ['detail', unit],
  contact: ['relation', responsible],
  preference: ['preference', preference],
  budget: ['detail', budget],
  seats: ['detail'],
  birth: ['detail'],
  pet: ['detail'],
  language: ['preference'],
  goal: ['goal']
}

/** By the words for the first the second is told, too: with a number plate its car, with a contract its number. */
const READERS = [
  ...(Object.keys(SLOTS) as Attribute[]).map((attribute) => [attribute, attribute] as const),
  ['plate', 'vehicle'],
  ['renewal', 'policy']
] as const

const LONGEST = 300
const INSTEAD =
  /(?<!\p{L})(?:instead of|rather than|(?:an)?statt|au lieu d|plutôt que|en lugar de|en vez de|em vez d|invece d|in plaats van|вместо)/iu
const CLAUSE_END = new RegExp(`[;()、，。]|,(?![0-9])|\\s[-–—]\\s|\\.(?=\\s|$)|(?=${INSTEAD.source})`, 'iu')

/** What a sentence says of its subject; the subject itself is found elsewhere. */
export function readLabels(sentence: string, language: Language): readonly Finding[] {
  if (sentence.length > LONGEST || /[?？؟]/.test(sentence)) return []
  const text = normalise(sentence)
  const found = [
    ...formsIn(text, language),
    ...reachedBy(text, language),
    ...finding('seats', seats(text)),
    ...finding('preference', available(text)),
    ...finding('address', movedTo(text)),
    ...READERS.flatMap(([cued, attribute]) => labelled(cued, attribute, text, language))
  ]
  return found.filter(({ value, isRetraction }) => isRetraction || /[\p{L}\p{N}]/u.test(value))
}

/** None where nothing was read. */
function finding(
  attribute: Attribute,
  written: string | undefined,
  isRetraction = false
): readonly Finding[] {
  const value = (written ?? '').trim()
  const [kind] = SLOTS[attribute] ?? []
  if (!kind || !value) return []
  const topic = topicOf(attribute, value)
  // Of several one ends in whatever words.
  return [{ kind, topic, value: isRetraction && topic.includes(' ') ? '' : value, isRetraction }]
}

/** Of a phone there is one, of allergies and preferences as many as there are. */
function topicOf(attribute: Attribute, value: string): string {
  if (attribute === 'address') return ''
  if (attribute === 'goal') return topicOfGoal(value)
  if (attribute === 'preference')
    return value.startsWith('only ') ? 'available' : foldValue(value).split(' ').slice(0, 3).join(' ')
  return SLOTS[attribute]?.[0] === 'health' ? `${attribute} ${foldValue(allergenOf(value))}` : attribute
}

/** What stands at the words for one attribute and tells that or another one. */
function labelled(
  cued: Attribute,
  attribute: Attribute,
  text: string,
  language: Language
): readonly Finding[] {
  const read = SLOTS[attribute]?.[1]
  if (!read) return []
  const places = placesOf(cued, text, language).filter(
    // Written large within a clause it is part of a name: `Mutua Montclar`.
    ({ start }) =>
      language === 'de' ||
      start === 0 ||
      !/^\p{Lu}(?!\p{Lu})/u.test(text.slice(start)) ||
      /[;,.(]\s$/.test(text.slice(0, start))
  )
  return places.slice(0, 4).flatMap(({ start, end }) => {
    const found: Finding[] = []
    for (const told of clausesAt(cued, text, start, end, language)) {
      const value = read(told)
      if (value === undefined) continue
      const isFormer = wasSo(told.clause.replace(told.cue, ' '), language)
      found.push(...finding(attribute, value, isFormer))
      if (!isFormer) break
    }
    return found
  })
}

function clausesAt(cued: Attribute, text: string, start: number, end: number, language: Language): Told[] {
  const cue = text.slice(start, end)
  const before = text.slice(0, start)
  const opening = before.split(CLAUSE_END).at(-1) ?? ''
  const common = { cued, cue, isLabel: attributeNamed(cue) !== undefined, before, text, language }
  const [own = '', ...later] = text.slice(end).split(CLAUSE_END).slice(0, 6)
  return [
    { ...common, isOwn: true, rest: own, clause: `${opening}${cue}${own}`, behind: text.slice(end) },
    ...later.map((rest) => ({ ...common, isOwn: false, rest, clause: rest, behind: rest }))
  ]
}

/** Whether a clause says that it isn't so, or not any more. */
const wasSo = (clause: string, language: Language): boolean =>
  INSTEAD.test(clause) || wordsFor(language).negation(clause) || wordsFor(language).before(clause)

const FORM = /(?:^|[,;.(]\s*)(\p{L}[\p{L}'’. -]{0,28}?)\s?[:：]\s*((?:[^,;()、，。:：]|,(?=[0-9])){1,80})/gu

/** `Label: value`, once or in a row, whatever the language of the words around. */
function formsIn(text: string, language: Language): readonly Finding[] {
  return [...text.matchAll(FORM)].flatMap(([, label = '', written = '']) => {
    const attribute = attributeNamed(label)
    const value = written.replace(/\.\s.*$/s, '')
    const [kind, read] = (attribute && SLOTS[attribute]) ?? []
    if (!attribute || !kind || kind === 'contact') return []
    if (attribute === 'budget')
      return finding(attribute, amountsIn(value)[0] ?? /[0-9][0-9.,]*/.exec(value)?.[0])
    if (read === code) return finding(attribute, codeIn(value))
    if (kind !== 'health') return finding(attribute, value)
    const topic = wasSo(value, language) ? attribute : `${attribute} ${foldValue(value)}`
    return [{ kind, topic, value: `${label}: ${value}` }]
  })
}

/** A telephone number or mail address that isn't called the old one. */
function reachedBy(text: string, language: Language): readonly Finding[] {
  const isNumbered = (clause: string) =>
    OTHER_NUMBERS.some((attribute) => placesOf(attribute, clause, language).length > 0)
  const clauses = text.split(CLAUSE_END).filter((clause) => !wasSo(clause, language))
  const phone = clauses
    .filter((clause) => !isNumbered(clause))
    .map((clause) => phoneIn(clause.replace(FROM_TO, '$2')))
    .find(Boolean)
  // A number in a sentence about another is rarely a telephone's.
  const isPhone = !isNumbered(text) || placesOf('phone', text, language).length > 0
  const email = clauses.map(emailIn).find(Boolean)
  // Where something is sent is another address than one's own.
  const sent = ADDRESSEE.test(text) ? { topic: `email ${foldValue(email ?? '')}` } : {}
  const mail = finding('email', email).map((one) => ({ ...one, ...sent }))
  return [...(isPhone ? finding('phone', phone) : []), ...mail]
}

const OTHER_NUMBERS = ['policy', 'id', 'code', 'order', 'invoice'] as const
