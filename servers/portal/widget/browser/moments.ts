// Days and times in the reader's language and time zone.
import type { Say } from './texts.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatted(lang: string, iso: string, options: Intl.DateTimeFormatOptions): string {
  const name = lang + JSON.stringify(options)
  const format = formats.get(name) ?? new Intl.DateTimeFormat(lang, { ...options, numberingSystem: 'latn' })
  formats.set(name, format)
  return format.format(new Date(iso))
}

/** What dates are told in: the page's language, as it is written where the reader is. */
export function dateLanguage(page: string): string {
  const own = navigator.languages.find((language) => language.startsWith(`${page}-`)) ?? page
  try {
    return Intl.getCanonicalLocales(own)[0] ?? navigator.language
  } catch {
    return navigator.language
  }
}

export const timeOfDay = (lang: string, iso: string): string =>
  formatted(lang, iso, { hour: 'numeric', minute: '2-digit' })

export const exactTime = (lang: string, iso: string): string =>
  formatted(lang, iso, { dateStyle: 'long', timeStyle: 'long' })

export function dayOf(lang: string, iso: string, now: number, say: Say): string {
  const day = dateOf(new Date(iso))
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === dateOf(new Date(now))) return say('today')
  if (day === dateOf(yesterday)) return say('yesterday')
  const isThisYear = new Date(iso).getFullYear() === new Date(now).getFullYear()
  return formatted(lang, iso, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
}

const dateOf = (date: Date): string => date.toDateString()
