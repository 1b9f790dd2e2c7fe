// What every view is given: what is shown, the words, the clock and what its buttons do; and the elements that several of them have.
import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Attachment, Attachments } from '../attachments.ts'
import type { Exchange } from '../exchanges.ts'
import type { ChatFile } from '../protocol.ts'
import type { Say } from '../texts.ts'
import type { Offer, Trouble } from '../trouble.ts'

export interface ViewContext {
  say: Say
  lang: string
  /** What the agent is called, '' for nobody in particular. */
  name: string
  now: number
  /** Where one signs in; '' where the page around doesn't say. */
  signInHref: string
  draft: string
  /** Files of the message that is being written. */
  attachments: Attachments | undefined
  detach(one: Attachment): void
  fileHref(exchange: Exchange, file: ChatFile): string
  canSend: boolean
  /** What keeps from chatting, or why a message came back. */
  trouble: Trouble | undefined
  /** A former conversation is read, to which nothing can be said. */
  isFormer: boolean
  /** Key of the exchange whose reply was copied just now. */
  copied: string
  retry(exchange: Exchange): void
  edit(exchange: Exchange): void
  stop(exchange: Exchange): void
  copyReply(exchange: Exchange): void
  check(): void
  /** Begins a new conversation. */
  begin(): void
  loadOlder(): void
  write(draft: string): void
  submit(): void
}

// Drawn on the portal's grid of 20; they decorate, so a screen reader skips them.
const PATHS = {
  attach:
    'm15.500 9.500-5.800 5.800a3.400 3.400 0 0 1-4.800-4.800l6-6a2.200 2.200 0 0 1 3.200 3.200l-6 6a1 1 0 0 1-1.500-1.500l5.400-5.400',
  file: 'M5.500 3h6l3.500 3.500V17h-9.500zM11.500 3v3.500H15',
  close: 'm6 6 8 8M14 6l-8 8',
  send: 'M10 16V4.500M5 9l5-5 5 5',
  down: 'M10 4v11.500M5 11l5 5 5-5',
  copy: 'M7.500 7.500h9v9h-9zM12.500 7.500v-4h-9v9h4',
  plus: 'M10 4v12M4 10h12',
  clock: 'M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400ZM10 6v4.300l2.800 1.700',
  check: 'm4 10.500 4 4 8-9',
  alert: 'M10 6.500v4.500M10 13.800h.01M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400Z',
  stopped: 'M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400ZM7.800 7.800h4.400v4.400H7.800z'
}

export const icon = (name: keyof typeof PATHS): TemplateResult => html`<svg class="icon" viewBox="0 0 20 20"
  aria-hidden="true" focusable="false"><path d=${PATHS[name]}></path></svg>`

/** What happened, what it means, and what can be done about it. */
export function notice(
  { title, text, tone, offers }: Trouble,
  context: ViewContext,
  act: Partial<Record<Offer, () => void>>
): TemplateResult {
  const offered = offers.flatMap((offer) => button(offer, context, act[offer]) ?? [])
  return html`<div class="notice ${tone}">
    ${icon(tone === 'quiet' ? 'stopped' : 'alert')}
    <p><b>${title}</b></p>
    <p>${text}</p>
    ${offered.length > 0 ? html`<div class="offers">${offered}</div>` : nothing}
  </div>`
}

function button(offer: Offer, { say, signInHref }: ViewContext, act?: () => void) {
  if (offer === 'sign-in') {
    return signInHref === '' ? undefined : html`<a class="button" href=${signInHref}>${say('signIn')}</a>`
  }
  const label = say(offer === 'check' ? 'checkAgain' : offer)
  return act && html`<button type="button" class="button" @click=${act}>${label}</button>`
}

export const agentName = ({ name, say }: ViewContext): string => name || say('agent')

export const monogram = (context: ViewContext): TemplateResult =>
  html`<span class="monogram" aria-hidden="true">${[...agentName(context)][0] ?? ''}</span>`
