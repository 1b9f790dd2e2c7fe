/** DNS labels end at 63 characters, and a slug may become one. */
const MAX_LENGTH = 63

/** A slug made of a name: letters and digits of a to z, hyphens between. A name without any becomes `partner`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    // What decomposition leaves of `é` or `ü` beside the letter.
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trimHyphens(trimHyphens(words).slice(0, MAX_LENGTH)) || 'partner'
}

/** The slug for the nth partner of that name: `acme`, `acme-2`, `acme-3`. */
export function numberedSlug(base: string, n: number): string {
  if (n === 1) return base
  const suffix = `-${n}`
  return trimHyphens(base.slice(0, MAX_LENGTH - suffix.length)) + suffix
}

const trimHyphens = (text: string): string => text.replaceAll(/^-+|-+$/g, '')
