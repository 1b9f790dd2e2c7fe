/** Letters with a stroke or joined, which Unicode doesn't take apart, as people type them who don't have them. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * The text as searches compare it: without case, accents and width, so that "clinica" finds "Clínica" and "Ｃｌｉｎｉｃ" too.
 * Databases would do it each in its own way.
 */
export const foldText = (value: string): string =>
  value
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/[ßøłđæœı]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKC')
    .trim()

/** The pattern of LIKE, escaped by `\`, for what contains the text; `%`, `_` and `\` in it stand for themselves. */
export const containing = (search: string): string => `%${foldText(search).replaceAll(/[\\%_]/g, '\\$&')}%`
