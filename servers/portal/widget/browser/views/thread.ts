// The log: days and turns, or what stands there while there are none.
import { html, nothing, render, type TemplateResult } from 'lit/html.js'
import type { Conversation } from '../conversation.ts'
import { renderReply } from '../markdown.ts'
import { dayOf } from '../moments.ts'
import type { Say } from '../texts.ts'
import type { Turn } from '../turns.ts'
import { monogram, type ViewContext } from './elements.ts'
import { turnView } from './turn.ts'

export function thread(conversation: Conversation, nodes: TurnNodes, context: ViewContext): TemplateResult {
  const { turns, isLoading, isBarred, older } = conversation
  return html`<div class="thread">
    ${older === null ? nothing : earlier(conversation, context)}
    ${isLoading && turns.length === 0 && !isBarred ? skeleton(context) : nothing}
    ${!isLoading && turns.length === 0 && !isBarred ? empty(context) : nothing}
    ${turns.map((turn, index) => [day(turn, turns[index - 1], context), nodes.of(turn, context)])}
  </div>`
}

const earlier = ({ isLoadingOlder }: Conversation, { say, loadOlder }: ViewContext): TemplateResult =>
  html`<button
    type="button"
    class="button earlier"
    aria-disabled=${isLoadingOlder}
    @click=${loadOlder}
  >
    ${say('earlier')}
  </button>`

function day(turn: Turn, before: Turn | undefined, { lang, now, say }: ViewContext): unknown {
  const name = dayOf(lang, turn.createdAt, now, say)
  if (before && dayOf(lang, before.createdAt, now, say) === name) return nothing
  return html`<p class="day">${name}</p>`
}

const empty = (context: ViewContext): TemplateResult => html`<div class="empty">
  ${monogram(context)}
  <b>${context.say('emptyTitle')}</b>
  <p>${context.say('emptyText')}</p>
</div>`

const skeleton = ({ say }: ViewContext): TemplateResult => html`<div class="skeleton">
  <i></i><i></i><i></i><i></i><span class="sr">${say('loading')}</span>
</div>`

interface Kept {
  element: HTMLElement
  prose: HTMLElement
  reply?: string | null
  say?: Say
}

/** Every turn has an element of its own that stays the same one whatever is put before it, and a reply is read once. */
export class TurnNodes {
  readonly #kept = new Map<string, Kept>()

  of(turn: Turn, context: ViewContext): HTMLElement {
    const kept = this.#kept.get(turn.key) ?? { element: box('turn'), prose: box('said prose') }
    this.#kept.set(turn.key, kept)
    if (turn.reply !== kept.reply || context.say !== kept.say) {
      kept.prose.dir = 'auto'
      kept.prose.replaceChildren(renderReply(turn.reply ?? '', context.say))
      kept.reply = turn.reply
      kept.say = context.say
    }
    render(turnView(turn, kept.prose, context), kept.element)
    return kept.element
  }
}

function box(className: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  return element
}
