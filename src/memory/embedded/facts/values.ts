// How the value of an attribute is read in a clause, whatever its language.
import type { Attribute } from '../attributes/attribute.ts'
import { amountsIn, codeIn, isTimeWord, streetIn } from '../attributes/shapes.ts'
import type { Language } from '../language.ts'
import { isStopWord } from '../stop-words.ts'

/** A clause, seen from the words that tell an attribute. */
export interface Told {
  cued: Attribute
  /** As it is written there. */
  cue: string
  /** Whether it is a label, such as `phone`, and no verb. */
  isLabel: boolean
  /** Whether the clause is the cue's own; a later one may hold its value, too. */
  isOwn: boolean
  clause: string
  /** What stands behind the cue, or all of a later clause. */
  rest: string
  before: string
  behind: string
  text: string
  language: Language
}

/** A value, or none. */
export type Read = (told: Told) => string | undefined

const WISH =
  /\b(?:would like|['’]d like|wants? to|want a|asked (?:about|for|what|whether|if)|asks (?:about|for)|interested in|quer[oe]|queremos|quier[oe]|gostaria|möchten?|hätte gern|würde|voudrai[st]|souhait\w+|vorrei|vorrebbe|vuole|wil graag|zou graag|хочет|хотел\w*)(?!\p{L})|ご希望|したい|想要|يريد|تريد/iu

const unlessWished =
  (read: Read): Read =>
  (told) =>
    WISH.test(told.text) ? undefined : read(told)

/** What changed, and to what. */
export const FROM_TO =
  /\b(?:from|von|vom|del?|da|du|dal|van|с|из)\s(.{1,40}?)\s(?:to|auf|zu|zum|al?|à|au|para o|para a|para|ao|naar|на)\s(.{1,60})/iu

/** What says that a mail goes somewhere. */
export const ADDRESSEE =
  /\b(?:send|sent|forward|invoices?|schick\w*|send\w*|env[ií]\w*|envoy\w*|invia\w*|stuur\w*|mand\w*)\b/i

const PROPER = "\\p{Lu}[\\p{L}\\p{M}&'’+-]*(?: (?:& )?\\p{Lu}[\\p{L}\\p{M}&'’+-]*){0,3}"
const IS =
  '(?:(?:is|es|ist|lautet|est|é|è|=)\\s)?(?:(?:now|ahora|jetzt|désormais|maintenant|agora|ora|nu)\\s)?(?:(?:el|la|the|die|der|le|o|a)\\s)?'

/** What stands right behind a label or cue, over the words for `is`. */
const rightBehind = (text: string, pattern: string, link = IS): string | undefined =>
  new RegExp(`^[\\s:：]*${link}(${pattern})`, 'u').exec(text.slice(0, 120))?.[1]

/** A machine's number is nobody's, the end of one none, and of a contract's neighbours many are no number of it. */
export const code: Read = ({ cued, cue, rest }) => {
  const found = /s[eé]ri/i.test(cue) || ENDS_IN.test(rest) ? undefined : codeIn(rest)
  return cued === 'renewal' && !/^\p{Lu}/u.test(found ?? '') ? undefined : found
}
const ENDS_IN =
  /\b(?:ends? (?:in|with)|ending|acaba (?:en|em)|termina (?:en|em|con)|endet|finit par|se termine)\b/i

/** `box 22`: what somebody has for long, and no room or table of a day. */
export const unit: Read = ({ cue, isOwn, rest }) => {
  const number =
    isOwn && KEPT.test(cue) ? /^ ([A-Z]?[0-9]{1,4}[A-Z]?)(?![0-9.,:]|\s?[€$£%])/.exec(rest)?.[1] : undefined
  return number && `${cue} ${number}`
}
const KEPT =
  /^(?:box|locker|storage unit|parking space|pitch|berth|stellplatz|lagerbox|parkplatz|fach|spind|platz|trastero|plaza de garaje|taquilla|emplacement|garde-meuble|casier|lugar de garagem|arrumo|cacifo|posto auto|armadietto|opslagbox|parkeerplaats|kluisje)$/i

export const budget: Read = ({ isLabel, isOwn, rest, clause, text }) =>
  WISH.test(text) && !isLabel ? undefined : amountsIn(isOwn ? clause : rest).at(-1)

/** A company or a place in a sentence that tells of insurance, and the like: behind a verb or a preposition. */
export const named: Read = ({ isOwn, rest, clause }) => {
  const direct = isOwn ? rightBehind(rest, PROPER) : undefined
  const value = direct ?? NAMED_BY.exec(clause.replace(FROM_TO, 'to $2'))?.[1]
  return isTimeWord(value?.split(' ')[0] ?? '') ? undefined : value
}
const NAMED_BY = new RegExp(
  `\\b(?:with|to|now|have|has|con|tengo|tiene|en|a|bei|zu|zur|jetzt|chez|à|avec|com|tenho|tem|na|no|met|bij|naar|by|in)\\s(${PROPER})`,
  'u'
)

/** To what: `allergic to latex`, `… not to aspirin, it's to ibuprofen`, `nut allergy`, `Nussallergie`, `卵アレルギー`. */
export const allergy: Read = ({ cue, isOwn, isLabel, rest, before }) => {
  const unspaced = isOwn ? UNSPACED_ALLERGEN.exec(before)?.[1] : undefined
  if (unspaced !== undefined) return `${unspaced}${cue}`
  const [, link = '', written = ''] = ALLERGEN.exec(rest) ?? []
  if (written) return `${cue} ${link}${written.replace(AND, '')}`
  const food = isOwn ? /\s(\p{Ll}{3,20})\s$/u.exec(before)?.[1] : undefined
  if (food && /^(?:allerg|intol)\p{L}*y$/iu.test(cue) && !isStopWord(food, 'en')) return `${food} ${cue}`
  return isOwn && !isLabel && /\p{L}(?:allergie|intoleran\p{L}+)$/iu.test(cue) ? cue : undefined
}
const AND = /\s(?:and|but|so|y|e|et|und|en|please)\s.*$/
const UNSPACED_ALLERGEN =
  /(?:^|[はがにの对、，\s])([\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]{1,8}?)$/u
const LINK =
  '(?:to|a|al|gegen|à|au|aux|ao|às|aos|alla|alle|ai|agli|voor|contre|на|del?)\\s(?:(?:the|la|las|los|el|les|die|den|das|de|a|le)\\s)?'
const ALLERGEN = new RegExp(
  `^(?:\\s(?:is|no|not|es|sino|sondern|mais|mas|but|it['’]s|é|est|pas|nicht|non|è|ma|na|it|ist)){0,5}\\s(${LINK})((?:l['’])?\\p{L}[\\p{L}\\p{M}'’ -]{1,30})`,
  'u'
)

/** `latex` of `allergic to latex`: in other words it is the same allergy. */
export const allergenOf = (value: string): string => value.replace(TO, '')
const TO = new RegExp(`^[\\p{L}\\p{M}]+ ${LINK}`, 'u')

/** From a word that says it to the end of its clause: `asthma since childhood`. What was done once is no state. */
export const state: Read = ({ cue, isLabel, isOwn, rest }) =>
  isLabel || !isOwn || /oper|opér|surg|injur|手術|手术/i.test(cue)
    ? undefined
    : `${cue}${rest.replace(AND, '')}`.slice(0, 60)

/** `vegana`, `doesn't eat pork`; but not `una cena vegana`. Of the former English has readers of its own. */
export const diet: Read = (told) => {
  if (/eat|come|isst|mange|mangia|eet|ест/.test(told.cue)) return state(told)
  const isAlone = told.language !== 'en' && !/^ ?\p{L}/u.test(told.rest.replace(AND, ''))
  return isAlone ? state(told) : undefined
}

/** `takes warfarin`, `nimmt 5 mg Ramipril`: by the endings that medicines are named with. */
export const medication: Read = ({ cue, isOwn, rest }) => {
  if (!isOwn) return undefined
  return DRUG.exec(rest)?.[0] ?? (/insulin|thinner|anticoag|verdünn|verdunn/i.test(cue) ? cue : undefined)
}
const DRUG =
  /^\s(?:[0-9.,]{1,5} ?mg (?:of |de |di )?)?\p{L}{2,14}(?:arin|formin|profene?o?|pril|sartane?|olol|statine?a?|azole?|cillin|mycin|oxacin|tidin|thyroxine?|xaban|pirin|cetamol|traline|pam|sone?)(?!\p{L})(?: [0-9.,]{1,5} ?mg)?/iu

const ADDRESS = `(?:[0-9]{1,4}[a-z]? )?${PROPER}(?: [0-9]{1,4}[a-z]?)?(?:, (?:[0-9]{1,4}[a-z]? )?${PROPER}(?: [0-9]{1,4}[a-z]?)?){0,2}`
const IN = '(?:in|en|at|à|au|em|a|nach|to|te|naar|в|um|zum?|no|na)\\s(?:the |la |el |o |a )?'
const NUMBER_AND_NAME = /(?:^|at|to) ([0-9]{1,4}[a-z]? \p{Lu}[\p{L}\p{M}]*(?: \p{Lu}[\p{L}\p{M}]*){0,3})/u

export const address: Read = ({ cue, isLabel, isOwn, behind, language }) => {
  if (!isOwn) return undefined
  const labelled = isLabel ? rightBehind(behind, ADDRESS) : undefined
  const lived = rightBehind(behind, ADDRESS, `(?:\\p{L}+\\s){0,2}?${IN}`)
  const value = labelled ?? lived ?? NUMBER_AND_NAME.exec(behind)?.[1] ?? streetIn(behind)
  // English has readers of its own, which know whose the clause is; they read no streets.
  const isRead = language === 'en' && (!isLabel || /^lives/.test(cue)) && !/[0-9]/.test(value ?? '')
  return isRead || isTimeWord(value?.split(' ')[0] ?? '') ? undefined : value
}

/** The street behind a word for moving: what moves may stand between them. */
export function movedTo(text: string): string | undefined {
  const { index } = MOVES.exec(text) ?? {}
  return index === undefined ? undefined : streetIn(text.slice(index).replace(FROM_TO, 'to $2'))
}
const MOVES =
  /(?<!\p{L})(?:mov(?:ed|es|ing)|relocat\w+|zieh(?:t|e|en)|zog|umgezogen|mud(?:a|o|ou|amos|ei)|traslad\w+|déménag\w+|emménag\w+|trasferi\w+|verhui\w+|переезжа\p{L}+|переехал\p{L}*|now (?:at|in)|jetzt i[nm]|agora (?:em|n[ao])|ahora en|maintenant (?:à|au)|ora (?:a|in)|nu (?:in|op))(?!\p{L})/iu

const TAKES =
  /\b(?:joined|signed up|is on|are on|am on|has|have|took|takes|chose|switched|upgraded|downgraded|moved|went|bought|renewed|inscr[ei]\w+|pass\w+|pas[óo]\w*|contrat\w+|tiene|tengo|tem|tenho|souscri\w+|pris|hat|habe|nutzt|gewechselt|wechselt|abgeschlossen|iscritt\w+|ha|heeft|overgestapt)\b/iu
const NO_PLAN = /^(?:new|old|same|current|this|that|next|our|his|her|my|their|good|great)\b/i
const CHANGED_TO = new RegExp(`^(?:the |el |la |o |le |das |den |het )?(${PROPER})`, 'u')
const BEFORE_PLAN =
  /(?:the|an?|on|with|to|den|die|das|het|een|mit|auf)\s((?!the |an? |den |die |das )[\p{L}-]{3,20}(?: [\p{L}-]{3,20})?)\s$/u

export const plan: Read = unlessWished(({ text, clause, isOwn, before, rest, language }) => {
  if (!isOwn || !TAKES.test(text)) return undefined
  const around = /^(?:en|de|nl|ru)$/.test(language)
    ? BEFORE_PLAN.exec(before)
    : /^\s([\p{L}-]{3,20})/u.exec(rest)
  const value = CHANGED_TO.exec(FROM_TO.exec(clause)?.[2] ?? '')?.[1] ?? around?.[1] ?? ''
  return isStopWord(value.toLowerCase(), language) || NO_PLAN.test(value) ? undefined : value
})

export const vehicle: Read = unlessWished(
  ({ isOwn, clause, before }) => (DRIVEN.exec(clause) ?? (isOwn ? DRIVEN.exec(before) : undefined))?.[1]
)
const DRIVEN =
  /(?<!\p{L})(?:drives?|driving|bought|fährt|fahre|conduce|conduzco|maneja|conduit|roule en|conduz|guida|rijdt|comprado|compró|acheté|comprou)\s(?:now |jetzt |ahora )?(?:an? |the |einen |eine |ein |den |un |une |una |um |uma |een )((?:\p{L}+ ){0,3}\p{Lu}[\p{L}\p{M}\p{N}-]*(?: \p{Lu}[\p{L}\p{N}]*)?)/u

export const seats = (text: string): string | undefined =>
  WISH.test(text) ? undefined : [...text.matchAll(SEATS)].at(-1)?.[1]
const SEATS =
  /([0-9][0-9.,]*)\s(?:more\s)?(?:seats?|licen[cs]es?|users?|usuarios|licencias|lizenzen|nutzer|utilisateurs|licenças|utilizadores|licenze|utenti|licenties|gebruikers|лиценз\p{L}*)(?!\p{L})/giu

/** `Contact Ada Quill`, `looked after by Ada`. */
export const responsible: Read = ({ isOwn, isLabel, before, rest }) =>
  isOwn && (before === '' || !isLabel) ? rightBehind(rest, PROPER, '') : undefined

/** English has readers of its own, which know more. */
export const preference: Read = ({ isOwn, cue, rest, language }) =>
  isOwn && language !== 'en' && /^pr[eé]f[eè]r|^bevorzug/i.test(cue) ? rest : undefined

/** When somebody can come at all: no word of its own says so in every language. */
export function available(text: string): string | undefined {
  const value = AVAILABLE.exec(text)?.[1]?.replace(/\s(?:now|ahora|agora|jetzt)$/i, '')
  return value && `only ${value}`
}
const AVAILABLE =
  /\b(?:can (?:now )?(?:only (?:come|do|make it)|(?:come|do|make it) only)|only come|solo puede|solo puedo|sólo puedo|só pode(?: ser)?|só posso|kann nur|können nur|posso solo|può solo|kan alleen)\s((?:in|on|before|after|at|from|until|during|por|los|las|a|al|às|aos|ao|ab|am|nach|vor|bis|na|voor|il|di|de)\s[^,.;]{2,50})/iu
