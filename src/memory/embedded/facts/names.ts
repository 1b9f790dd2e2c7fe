// The people and companies that a text names, and which names may be one's.
import { attributeAtStart, isNoteHead, isOf, isTitle, wordsFor } from '../attributes/attribute.ts'
import { isTimeWord } from '../attributes/shapes.ts'
import { fold } from '../fold.ts'
import type { Language } from '../language.ts'
import { lately, onceForValue } from '../port.ts'
import { isStopWord } from '../stop-words.ts'

export interface NamedOne {
  name: string
  index: number
  /** With its surname or a title; a first name alone may as well be a thing's. */
  isFull: boolean
}

/** A word of a name, or its initial. */
export const WORD = "\\p{Lu}(?:\\.(?= ?\\p{Lu})|[\\p{L}\\p{M}'’-]{0,30})"
const PARTICLE = '(?:d[aeiou]s?|del|della|van|von|der|den|ter|la|le|bin|ibn|al|el|y|e|&) '
const SPACED_NAME = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}'’&-])${WORD}(?: (?:${PARTICLE}){0,2}${WORD}){0,3}`,
  'gu'
)
const HAN_NAME =
  /([\p{Script=Han}\p{Script=Katakana}々ー]{1,6}(?:[ \u3000・][\p{Script=Han}\p{Script=Katakana}々]{1,6})?) ?(?:様|さん|さま|氏|ちゃん|くん|君|先生|女士|小姐|太太|医生|老师)|(?<=^|[:：] ?)([\p{Script=Han}々]{1,4}[ \u3000][\p{Script=Han}々]{1,4}|[\p{Script=Han}]{2,3}(?=[,，]))/gu
/** Counted, or not named at all. */
const NO_ONE = /[名人客皆\d]$|^(?:お|御)?(?:客|皆)/
const ARABIC_WORD = '[\\p{Script=Arabic}]{2,15}'
const ARABIC_NAME = new RegExp(
  `(?:^|(?<=[\\s:]))(?<title>${ARABIC_WORD}) (?<name>${ARABIC_WORD}(?: ${ARABIC_WORD})?)`,
  'gu'
)
const STREET =
  /(?:(?:^|\s)(?:street|road|lane|avenue|close|drive|hill|square|court|way|place|park)|straße|strasse|allee|platz|gasse)$/i

/** The people and companies that a text names, in its order. Where letters have no case, by title or place alone. */
export const peopleIn = (text: string, language: Language): readonly NamedOne[] => peopleBy(language)(text)

/** A memory, its lines and its sentences are asked for one after the other, and each of them more than once. */
const peopleBy = onceForValue((language: Language) => lately((text) => namesIn(text, language), 8))

function namesIn(text: string, language: Language): readonly NamedOne[] {
  if (language === 'ja' || language === 'zh') return hanNamesIn(text)
  if (language === 'ar') return [...arabicNamesIn(text)]
  return [...spacedNamesIn(text, language)]
}

function hanNamesIn(text: string): NamedOne[] {
  return [...text.matchAll(HAN_NAME)].flatMap(({ 1: titled, 2: bare, index }) => {
    const name = (titled ?? bare ?? '').replace(/^(?:本日|昨日|先日|今日)/, '')
    return name === '' || NO_ONE.test(name) || isNoteHead(name) ? [] : [{ name, index, isFull: true }]
  })
}

function* arabicNamesIn(text: string): Generator<NamedOne> {
  for (const { groups, index } of text.matchAll(ARABIC_NAME)) {
    if (groups?.name && isTitle(groups.title ?? '')) yield { name: groups.name, index, isFull: true }
  }
  const [before = '', behind = '', name] =
    new RegExp(`^([^:]{2,30}): (${ARABIC_WORD} ${ARABIC_WORD})`, 'u').exec(text) ?? []
  if (behind && isNoteHead(behind))
    yield { name: name ?? '', index: before.length - (name?.length ?? 0), isFull: true }
}

function* spacedNamesIn(text: string, language: Language): Generator<NamedOne> {
  for (const { 0: written, index } of text.matchAll(SPACED_NAME)) {
    if (isStopWord(written.toLowerCase(), language)) continue
    const around = {
      language,
      before: text.slice(Math.max(0, index - AROUND), index),
      behind: text.slice(index + written.length).slice(0, AROUND)
    }
    const found = nameFrom(written, around)
    if (found) yield { name: found.name, index: index + found.offset, isFull: found.isFull }
  }
}

/** Looked at before and behind a name. */
const AROUND = 60

interface Around {
  language: Language
  before: string
  behind: string
}

function nameFrom(written: string, { language, before, behind }: Around) {
  const [, title = ''] = /([\p{L}.-]{1,12}) $/u.exec(before.slice(-14)) ?? []
  const opensSentence = /(?:^|[.!?:…\n])\s*$/.test(before)
  let offset = 0
  let isTitled = isTitle(title)
  // `Lena Brzezińska's Atlas`
  let words = written.replace(/(?<=['’]s) .*$/, '').split(' ')
  const drop = () => {
    offset += (words[0]?.length ?? 0) + 1
    words = words.slice(1)
  }
  while (words.length > 0) {
    const [word = '', next = ''] = words
    const isHere = isTitle(word) && words.length > 1
    // `Oferta de Nuria Casajuana`: what begins a sentence is large, too.
    const leads = offset === 0 && opensSentence && /^\p{Ll}/u.test(next) && words.length > 3
    if (!(isHere || leads || isNoName(word, language) || /^\p{Ll}/u.test(word))) break
    isTitled ||= isHere
    drop()
  }
  const isOut = (word: string) => isNoName(word, language) || isTitle(word)
  while (words.length > 0 && isOut(words.at(-1) ?? '')) words = words.slice(0, -1)
  const name = words.join(' ').replace(/['’]s?$/, '')
  if (name.length < 2 || name === name.toUpperCase()) return undefined
  if (isTitled) return { name, offset, isFull: true }
  const isFull = words.length > 1
  // Things have no initials: `Insurance: A. Quill has …`
  const isShort = isFull && /^\p{Lu}\./u.test(name)
  if ((isThing(before, behind, language) && !isShort) || STREET.test(name)) return undefined
  // Alone, a word is a name only where neither a sentence nor the language writes it large.
  if (!isFull && (language === 'de' || (opensSentence && offset === 0))) return undefined
  return { name, offset, isFull }
}

/** Whether a word written large is a heading, a day or a small word, and no part of a name. */
export const isNoName = (word: string, language: Language): boolean => noNames(language)(word)

const noNames = onceForValue((language: Language) =>
  lately((word) => {
    const plain = fold(word).replace(/['’]s?$/, '')
    return isStopWord(word.toLowerCase(), language) || isNoteHead(plain) || isTimeWord(plain)
  })
)

/** `the Corvel Atlas`, `a blue Trevano`, `7 Mill Road`, `Insurance: …`, `Halden 20`. */
function isThing(before: string, behind: string, language: Language): boolean {
  const [, second = '', first = ''] = /(?:(\p{L}+) )?(\p{L}+) $/u.exec(before.slice(-24)) ?? []
  const { articles } = wordsFor(language)
  if (articles(first) || (articles(second) && /^\p{Ll}/u.test(first))) return true
  if (/[0-9] ?$/.test(before) || /^ [0-9]{1,3}(?![0-9-])/.test(behind)) return true
  const told = attributeAtStart(before.split(/[.;,\n]/).at(-1) ?? '')
  return told !== undefined && isOf('namelike')(told)
}
