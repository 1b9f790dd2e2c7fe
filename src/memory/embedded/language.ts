// Which language a text is in. Told by its script, and within the Latin one by its function words: they are a third of
// any text, and of the wrong language hardly ever two. A text with too few of them is short, and then can afford to be
// indexed under every language that it may be in.
import { stopWordsOf } from './stop-words.ts'

export const LATIN_LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'it', 'nl'] as const
export type LatinLanguage = (typeof LATIN_LANGUAGES)[number]
export type Language = LatinLanguage | 'ru' | 'ar' | 'zh' | 'ja'

export const isLatin = (language: Language): language is LatinLanguage =>
  LATIN_LANGUAGES.some((latin) => latin === language)

/** The likeliest first. */
export type Candidates<Of extends Language = Language> = readonly [Of, ...Of[]]

const SAMPLE_LENGTH = 1_500
/** Votes that the first language must be ahead of another one, to leave that one out. */
const SURE_MARGIN = 1
const MANY_WORDS = 60

export function languageOf(text: string, latin: Candidates<LatinLanguage>): Language {
  const sample = text.slice(0, SAMPLE_LENGTH)
  if (/^[\0-\u024f]*$/.test(sample)) return latin[0]
  const count = (letters: RegExp): number => sample.match(letters)?.length ?? 0
  const kana = count(/[\u3040-\u30ff]/g)
  const shares: [Language, number][] = [
    [latin[0], count(/\p{Script=Latin}/gu)],
    ['ru', count(/\p{Script=Cyrillic}/gu)],
    ['ar', count(/\p{Script=Arabic}/gu)],
    // A Chinese character says as much as two or three letters.
    [kana > 0 ? 'ja' : 'zh', 3 * count(/\p{Script=Han}/gu) + 2 * kana]
  ]
  return shares.reduce((most, share) => (share[1] > most[1] ? share : most))[0]
}

/** The likeliest language of a text. */
export const languageTold = (text: string): Language => languageOf(text, latinLanguagesOf(text))

/** None of them in a code: “4t7d0m” has single letters that would be words of French. */
const WORDS = /(?<![\da-zß-ɏ])[a-zß-ɏ]+(?:['’][a-zß-ɏ]+)?(?![\da-zß-ɏ])/g

export function latinLanguagesOf(text: string): Candidates<LatinLanguage> {
  const votes = new Map<LatinLanguage, number>(LATIN_LANGUAGES.map((language) => [language, 0]))
  const vote = (voters: readonly LatinLanguage[], weight: number): void => {
    for (const language of voters) votes.set(language, (votes.get(language) ?? 0) + weight / voters.length)
  }
  const sample = text.slice(0, SAMPLE_LENGTH).toLowerCase().normalize('NFC')
  let wordCount = 0
  for (const [word] of sample.matchAll(WORDS)) {
    wordCount += 1
    const parts = /['’]/.test(word) ? [word.replace('’', "'"), ...word.split(/['’]/)] : [word]
    for (const part of parts) vote(votersFor.get(part) ?? [], 1)
  }
  for (const [letters, voters] of TELLING_LETTERS) if (letters.test(sample)) vote(voters, 1)
  const [first = LATIN_LANGUAGES[0], ...others] = [...LATIN_LANGUAGES].sort(
    (a, b) => (votes.get(b) ?? 0) - (votes.get(a) ?? 0)
  )
  const lead = votes.get(first) ?? 0
  const near = others.filter((language) => lead - (votes.get(language) ?? 0) < SURE_MARGIN)
  return wordCount > MANY_WORDS ? [first] : [first, ...near]
}

const votersFor = new Map<string, readonly LatinLanguage[]>()
for (const language of LATIN_LANGUAGES) {
  for (const word of stopWordsOf(language)) votersFor.set(word, [...(votersFor.get(word) ?? []), language])
}

const TELLING_LETTERS: readonly (readonly [RegExp, readonly LatinLanguage[]])[] = [
  [/[ñ¿¡]/, ['es']],
  [/[ßäö]/, ['de']],
  [/[ãõ]/, ['pt']],
  [/œ|[èêîû]\p{L}/u, ['fr']],
  [/[òìù](?!\p{L})/u, ['it']],
  [/ij|aa[dnrst]/, ['nl']]
]
