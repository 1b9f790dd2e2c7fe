// The words of the widget: those that the script was sent with, in one language, and what a page wants otherwise, by a JSON
// child.
import type { ENGLISH } from '../english.ts'

export type TextKey = keyof typeof ENGLISH

/** Says a text, with what stands in braces filled in. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/**
 * The words of one widget.
 * @param own a page's own texts, as they were read: what isn't a text of the table is left aside
 * @param name what the agent is called, '' for nobody in particular
 */
export function wordsOf(own: unknown, name: string): Say {
  const texts = { ...globalThis.mindgateChatTexts, ...textsIn(own) }
  return (key, values = {}) => {
    const filled: Readonly<Record<string, string | number>> = { name: name || texts.agent, ...values }
    const text = texts[key].replaceAll(/\{(\w+)\}/g, (braces, of: string) =>
      String(Object.hasOwn(filled, of) ? filled[of] : braces)
    )
    // “the agent isn’t ready” begins a sentence; a name is spelled as it is.
    return name === '' ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text
  }
}

/** A page's own texts; a translation that is broken mustn't take the chat with it. */
export function parseTexts(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const textsIn = (own: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(own ?? {}).filter(
      ([key, text]) => Object.hasOwn(globalThis.mindgateChatTexts, key) && typeof text === 'string'
    )
  )

declare global {
  /** In front of the script (../routes.ts). */
  var mindgateChatTexts: Readonly<Record<TextKey, string>>
}
