// Every turn has an element of its own that stays the same one whatever is put before it, and a reply is read once.
import { render } from 'lit/html.js'
import { renderReply } from '../markdown.ts'
import type { Say } from '../texts.ts'
import type { Turn } from '../turns.ts'
import type { Scene } from './scene.ts'
import { turnView } from './turn.ts'

interface Kept {
  element: HTMLElement
  prose: HTMLElement
  /** What the prose was made of. */
  reply?: string | null
  say?: Say
}

export class TurnNodes {
  readonly #kept = new Map<string, Kept>()

  of(turn: Turn, scene: Scene): HTMLElement {
    const kept = this.#kept.get(turn.key) ?? { element: box('turn'), prose: box('said prose') }
    this.#kept.set(turn.key, kept)
    if (turn.reply !== kept.reply || scene.say !== kept.say) {
      kept.prose.dir = 'auto'
      kept.prose.replaceChildren(renderReply(turn.reply ?? '', scene.say))
      kept.reply = turn.reply
      kept.say = scene.say
    }
    render(turnView(turn, kept.prose, scene), kept.element)
    return kept.element
  }
}

function box(className: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  return element
}
