// Copying a reply, or a piece of code in it.
import { copyText } from '../../assets/copy-text.js'
import type { Exchange } from './exchanges.ts'
import type { Say } from './texts.ts'

const COPIED_MS = 2_000

export class Clipboard {
  /** Key of the exchange whose reply was copied just now. */
  copied = ''

  readonly #place: ParentNode
  readonly #changed: () => void

  /** @param place where a text can be put to be copied from */
  constructor(place: ParentNode, changed: () => void) {
    this.#place = place
    this.#changed = changed
  }

  async copyReply({ key, reply }: Exchange, say: Say): Promise<string> {
    if (!(await copyText(reply ?? '', this.#place))) return say('notCopied')
    const show = (copied: string) => {
      this.copied = copied
      this.#changed()
    }
    show(key)
    setTimeout(() => show(''), COPIED_MS)
    return say('copied')
  }

  /** The code whose button was pressed; `undefined` for any other click. */
  async copyCode({ target }: Event, say: Say): Promise<string | undefined> {
    const button = target instanceof Element ? target.closest('[data-copy]') : null
    const code = button?.closest('.code')?.querySelector('code')?.textContent
    if (!button || !code) return undefined
    if (!(await copyText(code, this.#place))) return say('notCopied')
    button.textContent = say('copied')
    setTimeout(() => {
      button.textContent = say('copyCode')
    }, COPIED_MS)
    return say('copied')
  }
}
