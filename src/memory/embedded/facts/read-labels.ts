// What notes write behind labels, in any language: `Teléfono 555 …`, `neue Adresse Ulmenweg 4`, `allergic to latex`. By
// the words of src/memory/embedded/attributes and the forms of values, with no grammar: where a clause denies or speaks
// of before, its value is no longer so.
import { type Attribute, attributeNamed, type Place, placesOf, wordsFor } from '../attributes/attribute.ts'
import { amountsIn, codeIn, emailIn, isTimeWord, phoneIn } from '../attributes/shapes.ts'
import { normalise } from '../fold.ts'
import type { Language } from '../language.ts'
import { isStopWord } from '../stop-words.ts'
import { finding } from './attribute-slots.ts'
import { foldValue } from './fact.ts'
import type { Finding } from './reading.ts'

const LONGEST = 300
const CLAUSE_END = /[;()、，。]|,(?![0-9])|\s[-–—]\s|\.(?=\s|$)/

interface Told {
  text: string
  language: Language
  clauses: readonly string[]
  isFormer: (clause: string) => boolean
  isWish: boolean
}

/** What a sentence says of its subject; the subject itself is found elsewhere. */
export function readLabels(sentence: string, language: Language): readonly Finding[] {
  if (sentence.length > LONGEST || /[?？؟]/.test(sentence)) return []
  const text = normalise(sentence)
  const words = wordsFor(language)
  const clauses = text.split(CLAUSE_END).filter((clause) => clause.trim() !== '')
  const isFormer = (clause: string) => words.negation(clause) || words.before(clause)
  const told = { text, language, clauses, isFormer, isWish: WISH.test(text) }
  const found = [
    ...formsIn(text, isFormer),
    ...reachedBy(told),
    ...(told.isWish ? [] : finding('seats', [...text.matchAll(SEATS)].at(-1)?.[1])),
    ...readAvailability(text),
    ...READERS.flatMap(([attribute, read]) => readers(attribute, read, told))
  ]
  return found.filter(({ value, isRetraction }) => isRetraction || /[\p{L}\p{N}]/u.test(value))
}

const WISH =
  /\b(?:would like|['’]d like|wants? to|want a|asked (?:about|for|what|whether|if)|asks (?:about|for)|interested in|quer[oe]|queremos|quier[oe]|gostaria|möchten?|hätte gern|würde|voudrai[st]|souhait\w+|vorrei|vorrebbe|vuole|wil graag|zou graag|хочет|хотел\w*)(?!\p{L})|ご希望|したい|想要|يريد|تريد/iu

type Read = (place: Place, told: Told) => readonly Finding[]

const readers = (attribute: Attribute, read: Read, told: Told): readonly Finding[] =>
  placesOf(attribute, told.text, told.language)
    // Written large within a clause it is part of a name: `Mutua Montclar`.
    .filter(
      ({ start }) =>
        start === 0 ||
        !/^\p{Lu}/u.test(told.text.slice(start)) ||
        /[;,.(]\s$/.test(told.text.slice(0, start)) ||
        told.language === 'de'
    )
    .slice(0, 4)
    .flatMap((place) => read(place, told))

const FORM = /(?:^|[,;.(]\s*)(\p{L}[\p{L}'’. -]{0,28}?)\s?[:：]\s*((?:[^,;()、，。:：]|,(?=[0-9])){1,80})/gu

/** `Label: value`, once or in a row, whatever the language of the words around. */
function formsIn(text: string, isFormer: Told['isFormer']): readonly Finding[] {
  return [...text.matchAll(FORM)].flatMap(([, label = '', written = '']) => {
    const attribute = attributeNamed(label)
    const value = written.replace(/\.\s.*$/s, '')
    if (!attribute || attribute === 'phone' || attribute === 'email') return []
    if (attribute === 'budget')
      return finding(attribute, amountsIn(value)[0] ?? /[0-9][0-9.,]*/.exec(value)?.[0])
    if (/^(?:policy|plate|code)$/.test(attribute)) return finding(attribute, codeIn(value))
    if (attribute !== 'allergy') return finding(attribute, value)
    const topic = isFormer(value) ? 'allergy' : `allergy ${foldValue(value)}`
    return [{ kind: 'health' as const, topic, value: `${label}: ${value}` }]
  })
}

/** A telephone number or mail address that isn't called the old one. */
function reachedBy({ text, clauses, isFormer, language }: Told): readonly Finding[] {
  const isOther = ['policy', 'order', 'invoice'] as const
  const numbers = clauses
    .filter((clause) => !isFormer(clause))
    .map((clause) => phoneIn(clause.replace(FROM_TO, '$2')))
  const phone = isOther.some((attribute) => placesOf(attribute, text, language).length > 0)
    ? undefined
    : numbers.find((number) => number !== undefined)
  const email = emailIn(clauses.find((clause) => !isFormer(clause) && emailIn(clause)) ?? '')
  // Where something is sent is another address than one's own.
  const isOwn = email !== undefined && !SENT.test(text)
  return [
    ...finding('phone', phone),
    ...finding('email', email).map((one) =>
      isOwn ? one : { ...one, topic: `email ${foldValue(one.value)}` }
    )
  ]
}

const SENT = /\b(?:send|sent|forward|schick\w*|send\w*|env[ií]\w*|envoy\w*|invia\w*|stuur\w*|mand\w*)\b/i

/** What changed, and to what. */
const FROM_TO =
  /\b(?:from|von|vom|del?|da|du|dal|van|с|из)\s(.{1,40}?)\s(?:to|auf|zu|zum|al?|à|au|para o|para a|para|ao|naar|на)\s(.{1,60})/iu

const VALUE = '[\\p{L}\\p{M}\\p{N}][^,;.()、，。:：]{0,60}'
const PROPER = "\\p{Lu}[\\p{L}\\p{M}&'’+-]*(?: (?:& )?\\p{Lu}[\\p{L}\\p{M}&'’+-]*){0,3}"
const STREET = '[0-9]{1,4}[a-z]? \\p{Lu}[\\p{L}\\p{M}]*(?: \\p{Lu}[\\p{L}\\p{M}]*){0,3}'
const NUMBERED = `(?:${STREET}|${PROPER}(?: [0-9]{1,4}[a-z]?)?)`
const ADDRESS = `${NUMBERED}(?:, ${NUMBERED}){0,2}`
const IS =
  '(?:(?:is|es|ist|lautet|est|é|è|=)\\s)?(?:(?:now|ahora|jetzt|désormais|maintenant|agora|ora|nu)\\s)?(?:(?:el|la|the|die|der|le|o|a)\\s)?'
const IN = '(?:in|en|at|à|au|em|a|nach|to|te|naar|в|um|zum?|no|na)\\s(?:the |la |el |o |a )?'

/** What stands right behind a label or cue, over the words for `is`. */
function behind(place: Place, { text }: Told, pattern: string, link = IS): string | undefined {
  return new RegExp(`^[\\s:：]*${link}(${pattern})`, 'u').exec(text.slice(place.end, place.end + 120))?.[1]
}

const clauseWith = ({ start }: Place, { text, clauses }: Told): string =>
  clauses.find((clause) => text.indexOf(clause) <= start && start < text.indexOf(clause) + clause.length) ??
  text

/** The first that is said to hold of what stands behind the label, however many clauses later. */
function held(place: Place, told: Told, valueIn: (clause: string) => string | undefined): string | undefined {
  const later = told.text.slice(place.end).split(CLAUSE_END)
  return later
    .filter((clause) => !told.isFormer(clause))
    .map(valueIn)
    .find((value) => value !== undefined)
}

const code =
  (attribute: Attribute): Read =>
  (place, told) =>
    // A machine's number is nobody's.
    /^s[eé]ri/i.test(told.text.slice(place.start)) ? [] : finding(attribute, held(place, told, codeIn))

/** A company or a place in a sentence that tells of insurance, and the like: behind a verb or a preposition. */
const named =
  (attribute: Attribute): Read =>
  (place, told) =>
    told.clauses.flatMap((clause) => {
      const proper = NAMED_BY.exec(clause.replace(FROM_TO, 'to $2'))?.[1] ?? ''
      const direct = clause === clauseWith(place, told) ? behind(place, told, PROPER) : undefined
      const value = direct ?? proper
      return value === '' || isTimeWord(value.split(' ')[0] ?? '')
        ? []
        : finding(attribute, value, told.isFormer(clause))
    })

const NAMED_BY = new RegExp(
  `\\b(?:with|to|now|have|has|con|tengo|tiene|en|a|bei|zu|zur|jetzt|chez|à|avec|com|tenho|tem|na|no|met|bij|naar|by|in)\\s(${PROPER})`,
  'u'
)

const allergy: Read = (place, told) => {
  const cue = told.text.slice(place.start, place.end)
  const before = UNSPACED_ALLERGEN.exec(told.text.slice(0, place.start))?.[1]
  if (before !== undefined)
    return allergyTo(before, `${before}${cue}`, told.isFormer(clauseWith(place, told)))
  // `… not to aspirin, it's to ibuprofen`
  const clauses = told.text.slice(place.end).split(CLAUSE_END).slice(0, 3)
  return clauses.flatMap((clause, at) => {
    const [, link = '', written = ''] = ALLERGEN.exec(clause) ?? []
    const allergen = written.replace(/\s(?:and|but|so|y|e|et|und|en|please)\s.*$/, '')
    return allergyTo(
      allergen,
      `${cue} ${link}${allergen}`,
      told.isFormer(at === 0 ? clauseWith(place, told) : clause)
    )
  })
}

const UNSPACED_ALLERGEN =
  /(?:^|[はがにの对、，\s])([\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]{1,8}?)$/u
const ALLERGEN =
  /^(?:\s(?:is|no|not|es|sino|sondern|mais|mas|but|it['’]s|é|est|pas|nicht|non|è|ma|na|it|ist))*\s((?:to|a|al|gegen|à|au|aux|ao|às|aos|alla|alle|ai|agli|voor|на|من|del?)\s(?:(?:the|la|las|los|el|die|den|das|de|a)\s)?)((?:l['’])?\p{L}[\p{L}\p{M}'’ -]{1,30})/u

const allergyTo = (allergen: string, value: string, isRetraction: boolean): readonly Finding[] =>
  allergen === ''
    ? []
    : [
        {
          kind: 'health',
          topic: `allergy ${foldValue(allergen)}`,
          value: isRetraction ? '' : value,
          isRetraction
        }
      ]

const address: Read = (place, told) => {
  const cue = told.text.slice(place.start, place.end)
  const isLabel = attributeNamed(cue) === 'address'
  const lived = behind(place, told, ADDRESS, `(?:\\p{L}+\\s){0,2}?${IN}`)
  const moved = new RegExp(`(?:^|at|to) (${STREET})`, 'u').exec(told.text.slice(place.end))?.[1]
  const value = (isLabel ? behind(place, told, ADDRESS) : undefined) ?? lived ?? moved
  // English has readers of its own, which know whose the clause is; they read no streets.
  const isRead = told.language === 'en' && (!isLabel || /^lives/.test(cue)) && !/[0-9]/.test(value ?? '')
  if (value === undefined || isRead || isTimeWord(value.split(' ')[0] ?? '')) return []
  return finding('address', value, told.isFormer(clauseWith(place, told)))
}

const TAKES =
  /\b(?:joined|signed up|is on|are on|am on|has|have|took|takes|chose|switched|upgraded|downgraded|moved|went|bought|renewed|inscr[ei]\w+|pass\w+|pas[óo]\w*|contrat\w+|tiene|tengo|tem|tenho|souscri\w+|pris|hat|habe|nutzt|gewechselt|wechselt|abgeschlossen|iscritt\w+|ha|heeft|overgestapt)\b/iu

const plan: Read = (place, told) => {
  if (told.isWish || !TAKES.test(told.text)) return []
  const clause = clauseWith(place, told)
  if (told.isFormer(clause)) return []
  const changed = new RegExp(`^(?:the |el |la |o |le |das |den |het )?(${PROPER})`, 'u').exec(
    FROM_TO.exec(clause)?.[2] ?? ''
  )?.[1]
  const isBefore = /^(?:en|de|nl|ru)$/.test(told.language)
  const around = isBefore
    ? /(?:the|an?|on|with|to|den|die|das|het|een|mit|auf)\s((?!the |an? |den |die |das )[\p{L}-]{3,20}(?: [\p{L}-]{3,20})?)\s$/u.exec(
        told.text.slice(0, place.start)
      )?.[1]
    : /^\s([\p{L}-]{3,20})/u.exec(told.text.slice(place.end))?.[1]
  const value = changed ?? around ?? ''
  return value === '' || isStopWord(value.toLowerCase(), told.language) || NO_PLAN.test(value)
    ? []
    : finding('plan', value)
}

const NO_PLAN = /^(?:new|old|same|current|this|that|next|our|his|her|my|their|good|great)\b/i

const vehicle: Read = (_, { clauses, isFormer, isWish }) => {
  const held = clauses.filter((clause) => !isWish && !isFormer(clause))
  return finding('vehicle', held.map((clause) => DRIVEN.exec(clause)?.[1]).find(Boolean))
}

const DRIVEN =
  /(?<!\p{L})(?:drives?|driving|bought|fährt|fahre|conduce|conduzco|maneja|conduit|roule en|conduz|guida|rijdt|comprado|compró|acheté|comprou)\s(?:now |jetzt |ahora )?(?:an? |the |einen |eine |ein |den |un |une |una |um |uma |een )((?:\p{L}+ ){0,3}\p{Lu}[\p{L}\p{M}\p{N}-]*(?: \p{Lu}[\p{L}\p{N}]*)?)/u

const SEATS =
  /([0-9][0-9.,]*)\s(?:more\s)?(?:seats?|licen[cs]es?|users?|usuarios|licencias|lizenzen|nutzer|utilisateurs|licenças|utilizadores|licenze|utenti|licenties|gebruikers|лиценз\p{L}*)(?!\p{L})/giu

const contact: Read = (place, told) => {
  const isLabel = attributeNamed(told.text.slice(place.start, place.end)) === 'contact'
  return isLabel && place.start === 0 ? finding('contact', behind(place, told, PROPER, '')) : []
}

/** When somebody can come at all. */
const AVAILABLE =
  /\b(?:can (?:now )?(?:only (?:come|do|make it)|(?:come|do|make it) only)|only come|solo puede|solo puedo|sólo puedo|só pode|só posso|kann nur|können nur|posso solo|può solo|kan alleen)\s((?:in|on|before|after|at|from|until|during|por|los|las|a|al|às|aos|ab|am|nach|vor|bis|na|voor|il|di|de)\s[^,.;]{2,50})/iu

const preference: Read = (place, told) => {
  const cue = told.text.slice(place.start, place.end)
  // English has readers of its own, which know more.
  if (told.language === 'en' || !/^pr[eé]f[eè]r|^bevorzug/i.test(cue)) return []
  return finding('preference', behind(place, told, VALUE, ''), told.isFormer(clauseWith(place, told)))
}

const READERS: readonly (readonly [Attribute, Read])[] = [
  ['policy', code('policy')],
  ['plate', code('plate')],
  ['code', code('code')],
  ['insurer', named('insurer')],
  ['area', named('area')],
  ['allergy', allergy],
  ['address', address],
  ['plan', plan],
  ['vehicle', vehicle],
  ['plate', vehicle],
  ['contact', contact],
  ['preference', preference],
  [
    'budget',
    (_, told) =>
      told.isWish && !/budget|presup/i.test(told.text) ? [] : finding('budget', amountsIn(told.text).at(-1))
  ]
]

/** `can only come in the evening`: no word of its own says so in every language. */
function readAvailability(sentence: string): readonly Finding[] {
  const value = AVAILABLE.exec(sentence)?.[1]?.replace(/\s(?:now|ahora|agora|jetzt)$/i, '')
  return value ? [{ kind: 'preference', topic: 'available', value: `only ${value}` }] : []
}
