// How word lists are written down: words with blanks between them, families with bars.

export const wordList = (text: string): string[] => text.trim().split(/\s+/)

export const wordSet = (text: string): ReadonlySet<string> => new Set(wordList(text))

export const wordFamilies = (text: string): string[][] => text.trim().split('|').map(wordList)
