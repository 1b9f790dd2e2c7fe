// What a page says once about what was just done: it travels to the next page in a sealed cookie.
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { Secrets } from '../../src/secrets.ts'
import { dropCookie, readCookie, writeCookie } from './cookies.ts'
import type { FlashMessage, PageEnv } from './env.ts'

const Message: z.ZodType<FlashMessage> = z.object({ kind: z.enum(['good', 'warn', 'bad']), text: z.string() })

const COOKIE = 'mindgate_flash'
const LIFETIME_SECONDS = 60
const MAX_LENGTH = 1_000

/** Has the next page say something. Sealed, so that nobody else can put words into our mouth. */
export function flash(c: Context<PageEnv>, { secrets }: { secrets: Secrets }, message: FlashMessage): void {
  const { kind, text } = message
  const kept = JSON.stringify({ kind, text: text.slice(0, MAX_LENGTH) })
  writeCookie(c, COOKIE, secrets.seal(kept, COOKIE), LIFETIME_SECONDS)
}

/** Reads what the page before had to say; the frame that shows it takes the cookie back. */
export function readFlash({ secrets }: { secrets: Secrets }): MiddlewareHandler<PageEnv> {
  return async function readFlash(c, next) {
    const sealed = readCookie(c, COOKIE)
    if (sealed) c.set('flash', opened(secrets, sealed))
    return next()
  }
}

export function takeFlash(c: Context<PageEnv>): FlashMessage | undefined {
  const message = c.get('flash')
  if (message) dropCookie(c, COOKIE)
  return message
}

/** A cookie of another SECRET_KEY, or of somebody's own making, says nothing. */
function opened(secrets: Secrets, sealed: string): FlashMessage | undefined {
  try {
    return Message.safeParse(JSON.parse(secrets.unseal(sealed, COOKIE))).data
  } catch {
    return undefined
  }
}
