// Cookies of the sites. Over https their names begin with `__Host-`, which binds them to this very host: a page on a
// sibling host can neither read nor plant one.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { PageEnv } from './env.ts'

export type CookieName = 'mindgate_portal' | 'mindgate_console' | 'mindgate_view' | 'mindgate_flash'

export const readCookie = (c: Context<PageEnv>, name: CookieName): string | undefined =>
  getCookie(c, nameOn(c, name))

export function writeCookie(c: Context<PageEnv>, name: CookieName, value: string, seconds: number): void {
  setCookie(c, nameOn(c, name), value, { ...attributesOn(c), maxAge: seconds })
}

export function dropCookie(c: Context<PageEnv>, name: CookieName): void {
  deleteCookie(c, nameOn(c, name), attributesOn(c))
}

/** Plain http has names of its own: a cookie that a network could have planted never passes for one of https. */
const nameOn = (c: Context<PageEnv>, name: CookieName): string => (isHttps(c) ? `__Host-${name}` : name)

const attributesOn = (c: Context<PageEnv>) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps(c) }) as const

export const isHttps = (c: Context): boolean => c.get('origin')?.startsWith('https:') ?? false
