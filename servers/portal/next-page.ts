// Where somebody is sent on our side of an address that came with a request: to a page below the base, and nowhere else.

/**
 * The path below the base, if it is one; home otherwise. It is read as a browser would: which drops tabs and line ends,
 * takes `\` for `/` and folds dots, so that `/.//evil.example` ends as the other host `//evil.example`.
 */
export function nextPage(base: string, wanted = ''): string {
  const home = base || '/'
  const here = 'http://here.invalid'
  if (!/^\/[^/\\]/.test(wanted) || !URL.canParse(base + wanted, here)) return home
  const { origin, pathname, search } = new URL(base + wanted, here)
  const isOurs = origin === here && pathname.startsWith(`${base}/`) && !pathname.startsWith('//')
  return isOurs ? pathname + search : home
}
