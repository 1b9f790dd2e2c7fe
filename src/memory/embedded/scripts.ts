// Writing systems: which one a text is in decides how its words are found.

/** Scripts that leave no blanks between words; Hangul is here for the particles that hang on its words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー'

export const UNSPACED_RUN = new RegExp(`([${UNSPACED}]+)`, 'u')

export const hasUnspaced = (text: string): boolean =>
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\uffef\ud840-\ud8ff]/.test(text)

export type Script = 'latin' | 'cyrillic' | 'arabic' | 'other'

/** By a word's first letter. */
export function scriptOf(word: string): Script {
  const code = word.charCodeAt(0)
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 'latin'
  if (code >= 0x400 && code < 0x530) return 'cyrillic'
  if (code >= 0x600 && code < 0x780) return 'arabic'
  return 'other'
}
