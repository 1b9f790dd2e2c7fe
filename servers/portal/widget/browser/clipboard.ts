// Copying a reply, or a piece of code in it. Each answers what is to be said of it; `place` is where a text can be put
// to be copied from.
import { copyText } from '../../assets/copy-text.js'
import type { Exchange } from './exchanges.ts'
import type { Say } from './texts.ts'

const COPIED_MS = 2_000

/** @param show told the exchange's key while it is shown as copied, then '' */
export async function copyReply(
  { key, reply }: Exchange,
  place: ParentNode,
  show: (key: string) => void,
  say: Say
): Promise<string> {
  if (!(await copyText(reply ?? '', place))) return say('notCopied')
  show(key)
  setTimeout(() => show(''), COPIED_MS)
  return say('copied')
}

/** The code whose button was pressed; `undefined` for any other click. */
export async function copyCode({ target }: Event, place: ParentNode, say: Say): Promise<string | undefined> {
  const button = target instanceof Element ? target.closest('[data-copy]') : null
  const code = button?.closest('.code')?.querySelector('code')?.textContent
  if (!button || !code) return undefined
  if (!(await copyText(code, place))) return say('notCopied')
  button.textContent = say('copied')
  setTimeout(() => {
    button.textContent = say('copyCode')
  }, COPIED_MS)
  return say('copied')
}
