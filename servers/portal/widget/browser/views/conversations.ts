// Above the log, how one begins a new conversation and comes to the earlier ones; and those as a list.
import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Former } from '../former.ts'
import { dayOf, exactTime, timeOfDay } from '../moments.ts'
import type { FormerConversation } from '../protocol.ts'
import { icon, notice, type ViewContext } from './elements.ts'
import { skeleton } from './thread.ts'

export function conversationBar(former: Former, { say, begin }: ViewContext): TemplateResult {
  const toggle = () => (former.isOpen && !former.reading ? former.close() : void former.open())
  const beginHere = () => {
    former.close()
    begin()
  }
  return html`<div class="bar">
    <button type="button" class="text-button" aria-expanded=${former.isOpen} @click=${toggle}>
      ${icon('clock')} ${say('former')}
    </button>
    <button type="button" class="text-button" @click=${beginHere}>${icon('plus')} ${say('newConversation')}</button>
  </div>`
}

export function formerList(former: Former, context: ViewContext): TemplateResult {
  const { list, problem } = former
  return html`<nav class="former" aria-label=${context.say('former')}>
    ${list || problem ? nothing : skeleton(context)}
    ${list?.length === 0 ? html`<p>${context.say('noFormer')}</p>` : nothing}
    <ul role="list">${list?.map((one) => html`<li>${entry(one, former, context)}</li>`)}</ul>
  </nav>`
}

const entry = ({ id, title, lastAt }: FormerConversation, former: Former, { say, lang, now }: ViewContext) =>
  html`<button type="button" @click=${() => former.read(id)}>
    <span dir="auto">${title}</span>
    <time datetime=${lastAt} title=${exactTime(lang, lastAt)}
      >${dayOf(lang, lastAt, now, say)}, ${timeOfDay(lang, lastAt)}</time
    >
  </button>`

/** In the place of the composer. */
export const backToCurrent = (
  former: Former,
  context: ViewContext
): TemplateResult => html`<div class="composer">
  ${context.trouble ? notice(context.trouble, context, { check: context.check }) : nothing}
  <div class="back">
    ${former.reading ? html`<p>${context.say('readingFormer')}</p>` : nothing}
    <button type="button" class="button" @click=${() => former.close()}>${context.say('backToCurrent')}</button>
  </div>
</div>`
