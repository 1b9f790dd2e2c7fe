// The terms that a word is indexed under, and looked for.
import { plainLetters } from './fold.ts'
import { type Candidates, LATIN_LANGUAGES, type LatinLanguage } from './language.ts'
import { arabicStems, latinStems, russianStem, verbStems } from './stems.ts'
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
  const spellings = languages.includes('de') ? umlautSpellings(word.form) : []
  for (const spelling of spellings) terms.push(...stemsOf(spelling, ['de']))
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
