// The log: days and exchanges, or what stands there while there are none.
import { html, nothing, render, type TemplateResult } from 'lit/html.js'
import type { Conversation } from '../conversation.ts'
import type { Exchange } from '../exchanges.ts'
import { made, renderReply } from '../markdown.ts'
import { dayOf } from '../moments.ts'
import type { Say } from '../texts.ts'
import { monogram, type ViewContext } from './elements.ts'
import { exchangeView } from './exchange.ts'

export function thread(
  conversation: Conversation,
  nodes: ExchangeNodes,
  context: ViewContext
): TemplateResult {
  const { exchanges, isLoading, isBarred, older } = conversation
  return html`<div class="thread">
    ${older === null ? nothing : earlier(conversation, context)}
    ${isLoading && exchanges.length === 0 && !isBarred ? skeleton(context) : nothing}
    ${!isLoading && exchanges.length === 0 && !isBarred ? empty(context) : nothing}
    ${exchanges.map((exchange, index) => [day(exchange, exchanges[index - 1], context), nodes.of(exchange, context)])}
  </div>`
}

const earlier = ({ isLoadingOlder }: Conversation, { say, loadOlder }: ViewContext): TemplateResult =>
  html`<button type="button" class="button earlier" aria-disabled=${isLoadingOlder} @click=${loadOlder}>
    ${say('earlier')}
  </button>`

function day(exchange: Exchange, before: Exchange | undefined, { lang, now, say }: ViewContext): unknown {
  const name = dayOf(lang, exchange.createdAt, now, say)
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

/** Every exchange has an element of its own that stays the same one whatever is put before it, and a reply is read once. */
export class ExchangeNodes {
  readonly #kept = new Map<string, Kept>()

  of(exchange: Exchange, context: ViewContext): HTMLElement {
    const kept = this.#kept.get(exchange.key) ?? {
      element: made('div', { className: 'exchange' }),
      prose: made('div', { className: 'said prose', dir: 'auto' })
    }
    this.#kept.set(exchange.key, kept)
    if (exchange.reply !== kept.reply || context.say !== kept.say) {
      kept.prose.replaceChildren(renderReply(exchange.reply ?? '', context.say))
      kept.reply = exchange.reply
      kept.say = context.say
    }
    render(exchangeView(exchange, kept.prose, context), kept.element)
    return kept.element
  }
}
