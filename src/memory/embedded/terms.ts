// The terms that a word is indexed under, and looked for: what its inflected forms have in common.
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { plainLetters } from './fold.ts'
import { irregularsOf } from './irregular-forms.ts'
import { type Candidates, LATIN_LANGUAGES, type LatinLanguage } from './language.ts'
import { onceForValue } from './port.ts'
import { isStopWord } from './stop-words.ts'
import { scriptOf, type Word } from './words.ts'

/** The main term first; none for a stop word. */
export function termsOf(word: Word, languages: Candidates<LatinLanguage>): string[] {
  if (word.isExact) return [word.form, ...word.others]
  const terms = stemsOf(word.form, languages)
  for (const other of word.others) terms.push(...stemsOf(other, languages))
  // Whoever writes German gives nouns a capital, and verbs none.
  if (terms.length > 0 && !word.isCapitalised) terms.push(...verbStemsOf(word.form, languages))
  return terms.length > 1 ? [...new Set(terms)] : terms
}

/** What a question looks for besides: names have the same spelling in every language, but not the same stem. */
export function furtherTermsOf(word: Word, languages: Candidates<LatinLanguage>): string[] {
  if (word.isExact || scriptOf(word.form) !== 'latin') return []
  const terms = verbStemsOf(word.form, languages)
  if (languages.includes('de') || word.isCapitalised)
    for (const spelling of umlautSpellings(word.form)) terms.push(...stemsOf(spelling, ['de']))
  if (word.isCapitalised)
    for (const language of LATIN_LANGUAGES) terms.push(...latinStems(word.form, language))
  return terms
}

const verbStemsOf = (form: string, languages: Candidates<LatinLanguage>): string[] =>
  scriptOf(form) === 'latin' ? languages.flatMap((language) => verbStems(form, language)) : []

function stemsOf(form: string, languages: Candidates<LatinLanguage>): string[] {
  const script = scriptOf(form)
  if (script === 'latin') return stemsOfLatin(form, languages)
  if (script === 'cyrillic') return isStopWord(form, 'ru') ? [] : [russianStem(form)]
  if (script === 'arabic') return isStopWord(form, 'ar') ? [] : arabicStems(form)
  return [plainLetters(form)]
}

function stemsOfLatin(form: string, languages: Candidates<LatinLanguage>): string[] {
  const [language] = languages
  if (form.length === 1 || isStopWord(form, language)) return []
  const apostrophe = form.indexOf("'")
  if (apostrophe > 0) return stemsOfLatin(form.slice(0, apostrophe), languages)
  if (languages.length === 1) return latinStems(form, language)
  return languages.flatMap((candidate) => latinStems(form, candidate))
}

/** `Mueller` for Müller, `Müller` for Mueller. */
function umlautSpellings(form: string): string[] {
  const spread = form.replace(/[äöü]/g, (letter) => `${plainLetters(letter)}e`)
  const drawn = form.replace(/[aou](?=e)e/g, (letters) => letters.charAt(0))
  return [spread, drawn].filter((spelling) => spelling !== form)
}

type Stem = (word: string) => string
/** Whose irregular forms are told by their stems. */
type Inflected = Exclude<LatinLanguage, 'en'> | 'ru'

const STEMMERS: Readonly<Record<LatinLanguage | 'ru', Stem>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  pt: portuguese,
  it: italian,
  nl: dutch,
  ru: russian
}

const englishBases = new Map(irregularsOf('en'))

/** By the stems of irregular forms, so that their endings don't count (ging, gingen); accents may be missing. */
const basesOf = onceForValue((language: Inflected) => {
  const stem = STEMMERS[language]
  const stems = irregularsOf(language).flatMap(([form, base]): [string, string][] => [
    [stem(plainLetters(form)), stem(base)],
    [stem(form), stem(base)]
  ])
  return new Map(stems)
})

/** The stems of a word in lower case, the likeliest first: as it is spelled, and as whoever leaves accents out does. */
export function latinStems(word: string, language: LatinLanguage): string[] {
  const plain = plainLetters(word)
  if (language === 'en') return [english(englishBases.get(plain) ?? plain)]
  const stem = stemIn(language, word)
  if (plain === word) return [stem]
  const plainStem = stemIn(language, plain)
  return plainStem === stem ? [stem] : [stem, plainStem]
}

function stemIn(language: Inflected, word: string): string {
  const stem = STEMMERS[language](word)
  return plainLetters(basesOf(language).get(stem) ?? stem)
}

/** What else a word may come from if it is a verb: the stemmers leave lernt, gekauft and embauchons as they are. */
function verbStems(word: string, language: LatinLanguage): string[] {
  const plain = plainLetters(word)
  if (language === 'fr') {
    const [, verb] = /^(\p{L}{3,}?)e?ons$/u.exec(plain) ?? []
    return verb === undefined ? [] : [stemIn('fr', `${verb}er`)]
  }
  if (language !== 'de' && language !== 'nl') return []
  const participle = PARTICIPLE.exec(plain)
  const forms = participle ? [plain, `${participle[1] ?? ''}${participle[2]}`] : [plain]
  return forms.flatMap((form) => {
    const [, verb] = WEAK_ENDING[language].exec(form) ?? []
    const stems = form === plain ? [] : [stemIn(language, form)]
    return verb === undefined ? stems : [...stems, stemIn(language, `${verb}en`)]
  })
}

/** German and Dutch participles carry `ge` behind a separable prefix: gekauft, eingekauft. */
const PARTICIPLE =
  /^(ab|an|auf|aus|bei|ein|los|mit|nach|vor|weg|zu|zuruck|um|her|hin|in|op|uit|af|mee|terug|na|over|aan)?ge(\p{L}{3,}(?:t|d|en))$/u

const WEAK_ENDING = {
  de: /^(\p{L}{3,}?)e?t(?:e|en|est|et)?$/u,
  nl: /^(\p{L}{3,}?)[td](?:e|en)?$/u
} as const

const russianStem = (word: string): string => stemIn('ru', plainLetters(word))

/** The stem, and what stays of the word where Arabic puts a plural or a tense inside it: مدرسة and مدارس. */
function arabicStems(word: string): string[] {
  // The stemmer knows the article, not the conjunction before it.
  const bare = word.replace(/[أإآٱ]/g, 'ا').replace(/^[وف](?=ال.{2})/, '')
  const stem = arabic(bare).replace(/ى$/, 'ي').replace(/ة$/, 'ه')
  const consonants = bare
    .replace(/^(?:[بكف]?ال|لل)(?=.{2})/, '')
    .replace(/(?<=.{2})(?:ها|هم|كم|نا|ي)$/, '')
    .replace(/(?<=.{2})(?:ات|ين|ون|ان|وا|ا|ن|ة|ه)$/, '')
    .replace(/(?<=.{3})ت$/, '')
    .replace(/^[يت](?=.{3})/, '')
    .replace(/[اويىئؤء]/g, '')
  return consonants.length > 1 ? [stem, `~${consonants}`] : [stem]
}
