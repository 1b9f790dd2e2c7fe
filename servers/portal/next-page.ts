// Where somebody goes after signing in: the page they had asked for, if it is one of ours.

/** The path below the base, if it is one; home otherwise. A path with two slashes would be another host. */
export function nextPage(base: string, wanted: string | undefined): string {
  const home = base || '/'
  if (!wanted || !/^\/[^/\\]/.test(wanted)) return home
  const here = 'http://here.invalid'
  const url = new URL(`${base}${wanted}`, here)
  const isOurs = url.origin === here && (base === '' || url.pathname.startsWith(`${base}/`))
  return isOurs ? url.pathname + url.search : home
}
