// The languages in which people are met: portal, chat widget and mails.
import { z } from 'zod'

export const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt', 'ar', 'ja'] as const

export const Language = z.enum(LANGUAGES)
export type Language = z.output<typeof Language>

/** To choose from, each as its speakers call it. */
export const LANGUAGE_CHOICES: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'pt', label: 'Português' },
  { value: 'ar', label: 'العربية' },
  { value: 'ja', label: '日本語' }
]
