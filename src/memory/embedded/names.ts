// Names in their parts: whose two may be, and whether a text has one.
import { isTitle } from './attributes/attribute.ts'
import { fold } from './fold.ts'
import { hasUnspaced } from './words.ts'

/** The folded parts of a name: `dana`, `okonkwo`; one of a script without blanks is a single part. */
export type Name = readonly string[]

export function nameOf(text: string): Name {
  const folded = fold(text).replace(/['’]s?(?![\p{L}])/gu, '')
  if (hasUnspaced(folded)) return [folded.replace(/\s+/g, '')]
  const parts = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const untitled = parts.filter((part) => !isTitle(part))
  return untitled.length > 0 ? untitled : parts
}

/**
 * How far two names may be one's: wholly, as far as one of them goes (`Mr Reyes` and `Dana Reyes`), or not. Beside a
 * part that is the same others may be short for each other: `D. Reyes`.
 */
export function likeness(asked: Name, told: Name): 'same' | 'partial' | 'other' {
  const isShared = (part: string): boolean => asked.some((own) => isSamePart(own, part))
  if (!told.some(isShared)) return 'other'
  const shared = told.filter(
    (part) => isShared(part) || asked.some((own) => own.startsWith(part) || part.startsWith(own))
  ).length
  if (shared >= asked.length) return 'same'
  return shared >= told.length ? 'partial' : 'other'
}

/** Whether two names may be one's: the words of one are all in the other, `Lena` or `L. Brzezińska` in `Lena Brzezińska`. */
export const isSameName = (a: string, b: string): boolean => likeness(nameOf(a), nameOf(b)) !== 'other'

/** For each name the longer ones that may be the same one's. Parts that are the same begin alike, so few are compared. */
export function fullerNames(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = names.map((name) => ({ name, parts: nameOf(name) }))
  const byInitial = new Map<string, Set<(typeof all)[number]>>()
  for (const one of all)
    for (const [initial = ''] of one.parts)
      byInitial.set(initial, (byInitial.get(initial) ?? new Set()).add(one))
  const fullerOf = ({ name, parts }: (typeof all)[number]) =>
    [...new Set(parts.flatMap(([initial = '']) => [...(byInitial.get(initial) ?? [])]))]
      .filter((other) => other.name.length > name.length && likeness(parts, other.parts) !== 'other')
      .map((other) => other.name)
  return new Map(all.map((one) => [one.name, fullerOf(one)]))
}

/** A genitive may end in `s`, Russian bends names, and where there are no blanks the family name stands first. */
function isSamePart(a: string, b: string): boolean {
  if (a === b || a === `${b}s` || b === `${a}s`) return true
  if (/^\p{Script=Cyrillic}{4,}$/u.test(a) && /^\p{Script=Cyrillic}/u.test(b)) {
    return (
      Math.abs(a.length - b.length) < 3 &&
      a.slice(0, 3) === b.slice(0, 3) &&
      a.slice(0, -2) === b.slice(0, a.length - 2)
    )
  }
  return hasUnspaced(a) && (a.startsWith(b) || b.startsWith(a))
}

/** Whether a folded text names it, word by word. */
export function isNamedIn(name: Name, folded: string): boolean {
  return name.every((part) => {
    if (hasUnspaced(part)) return folded.replace(/\s+/g, '').includes(part)
    for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + 1)) {
      const isStart = !/[\p{L}\p{N}]/u.test(folded.charAt(at - 1))
      const isEnd =
        !/[\p{L}\p{N}]/u.test(folded.charAt(at + part.length)) ||
        /^s(?![\p{L}\p{N}])/u.test(folded.slice(at + part.length))
      if (isStart && isEnd) return true
    }
    return false
  })
}

/** `Dana Reyes` for `Dana`, where no other Dana is known. */
export function fullNameOf(name: Name, known: readonly Name[]): Name[] {
  const fuller = known
    .filter((other) => other.length > name.length && name.every((part) => other.includes(part)))
    .sort((a, b) => a.length - b.length)
  const [one] = fuller.filter((other) => other.every((part) => part.length > 1))
  return one && fuller.every((other) => likeness(one, other) !== 'other') ? [one] : []
}
