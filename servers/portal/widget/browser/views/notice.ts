import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Offer, Trouble } from '../trouble.ts'
import { icon } from './icon.ts'
import type { Scene } from './scene.ts'

/** What happened, what it means, and what can be done about it. */
export function notice(
  { title, text, tone, offers }: Trouble,
  scene: Scene,
  act: Partial<Record<Offer, () => void>>
): TemplateResult {
  const offered = offers.flatMap((offer) => button(offer, scene, act[offer]) ?? [])
  return html`<div class="notice ${tone}">
    ${icon(tone === 'quiet' ? 'stopped' : 'alert')}
    <p><b>${title}</b></p>
    <p>${text}</p>
    ${offered.length > 0 ? html`<div class="offers">${offered}</div>` : nothing}
  </div>`
}

function button(offer: Offer, { say, signInHref }: Scene, act?: () => void): TemplateResult | undefined {
  if (offer === 'sign-in') {
    return signInHref === '' ? undefined : html`<a class="button" href=${signInHref}>${say('signIn')}</a>`
  }
  const label = say(offer === 'check' ? 'checkAgain' : offer)
  return act && html`<button type="button" class="button" @click=${act}>${label}</button>`
}
