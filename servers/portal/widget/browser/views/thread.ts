// The log: days and exchanges, or what stands there while there are none.
import { html, nothing, render, type TemplateResult } from 'lit/html.js'
import type { Conversation } from '../conversation.ts'
import type { Exchange } from '../exchanges.ts'
import { made } from '../markdown.ts'
import { dayOf } from '../moments.ts'
import { icon, monogram, type ViewContext } from './elements.ts'
import { exchangeView } from './exchange.ts'

interface Log {
  isHidden: boolean
  scrolled(): void
  clicked(event: Event): void
}

/** @param nodes the exchanges' elements by their keys, from one drawing to the next */
export const log = (
  shown: Conversation | undefined,
  nodes: Map<string, HTMLElement>,
  { isHidden, scrolled, clicked }: Log,
  context: ViewContext
): TemplateResult => html`<div
  class="log"
  ?hidden=${isHidden}
  role="log"
  aria-live="off"
  tabindex="0"
  aria-label=${context.say('conversation')}
  aria-busy=${shown?.isLoading ?? false}
  @scroll=${scrolled}
  @click=${clicked}
>
  ${shown ? thread(shown, nodes, context) : nothing}
</div>`

function thread(
  conversation: Conversation,
  nodes: Map<string, HTMLElement>,
  context: ViewContext
): TemplateResult {
  const { exchanges, isLoading, isBarred, older } = conversation
  return html`<div class="thread">
    ${older === null ? nothing : earlier(conversation, context)}
    ${isLoading && exchanges.length === 0 && !isBarred ? skeleton(context) : nothing}
    ${!isLoading && exchanges.length === 0 && !isBarred ? empty(context) : nothing}
    ${exchanges.map((exchange, index) => [day(exchange, exchanges[index - 1], context), node(exchange, nodes, context)])}
  </div>`
}

/** The way back for who reads further up. */
export const jump = (toEnd: () => void, { say }: ViewContext): TemplateResult => html`<div class="jump">
  <button type="button" @click=${toEnd}>${icon('down')} ${say('latest')}</button>
</div>`

const earlier = ({ isLoadingOlder }: Conversation, { say, loadOlder }: ViewContext): TemplateResult =>
  html`<button type="button" class="button earlier" aria-disabled=${isLoadingOlder} @click=${loadOlder}>
    ${say('earlier')}
  </button>`

function day(exchange: Exchange, before: Exchange | undefined, { lang, now, say }: ViewContext): unknown {
  const name = dayOf(lang, exchange.createdAt, now, say)
  if (before && dayOf(lang, before.createdAt, now, say) === name) return nothing
  return html`<p class="day">${name}</p>`
}

/** Every exchange has an element of its own that stays the same one whatever is put before it. */
function node(exchange: Exchange, nodes: Map<string, HTMLElement>, context: ViewContext): HTMLElement {
  const element = nodes.get(exchange.key) ?? made('div', { className: 'exchange' })
  nodes.set(exchange.key, element)
  render(exchangeView(exchange, context), element)
  return element
}

const empty = (context: ViewContext): TemplateResult => html`<div class="empty">
  ${monogram(context)}
  <b>${context.say('emptyTitle')}</b>
  <p>${context.say('emptyText')}</p>
</div>`

export const skeleton = ({ say }: ViewContext): TemplateResult => html`<div class="skeleton">
  <i></i><i></i><i></i><i></i><span class="sr">${say('loading')}</span>
</div>`
