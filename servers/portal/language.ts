import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { LANGUAGES, type Language } from '../../schemas/language.ts'

/** What the browser asks for first of what we speak, else the partner's, else English; a customer's record comes before it. */
export function languageAsked(c: Context, ofPartner?: Language): Language {
  const asked = parseAccept(c.req.header('accept-language') ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.split('-', 1)[0]?.toLowerCase())
  const spoken = asked.flatMap((wanted) => LANGUAGES.find((one) => one === wanted) ?? [])
  return spoken[0] ?? ofPartner ?? 'en'
}
