/** The words of a value, so that spelling alone makes no difference. */
export const foldValue = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}@.+]+/gu, ' ')
    .replace(/\.(?= |$)/g, '')
    .trim()
