import type { EmbeddedSettings } from '../variables.ts'

/** Keys in the upstream's words, masked ones such as `sk-proj-****abcd` too. */
const KEY_SHAPE = /\bsk-[\w*-]+/g

/** What the upstream answered, without its key. */
export const withoutKey = (text: string, { upstreamKey }: EmbeddedSettings): string =>
  upstreamKey ? text.replaceAll(upstreamKey, '[redacted]') : text

/** What the upstream complained of, without its key or anything that looks like one. */
export const withoutSecrets = (text: string, settings: EmbeddedSettings): string =>
  withoutKey(text, settings).replace(KEY_SHAPE, '[redacted]')
