// A message, and what became of it.
import { html, nothing, type TemplateResult } from 'lit/html.js'
import { exactTime, timeOfDay } from '../moments.ts'
import { troubleOf } from '../trouble.ts'
import type { Turn } from '../turns.ts'
import { icon } from './icon.ts'
import { notice } from './notice.ts'
import type { Scene } from './scene.ts'

/** After so long it is said that it takes long. */
const LONG_MS = 10_000

export const isLong = ({ sentAt }: Turn, now: number): boolean => now - sentAt >= LONG_MS

export function turnView(turn: Turn, prose: HTMLElement, scene: Scene): TemplateResult {
  const trouble = troubleOf(turn, scene.say)
  return html`<div class="message">
      <div class="bubble" dir="auto">${turn.message}</div>
      ${time(turn.createdAt, 'sent', scene)}
    </div>
    ${turn.state === 'answered' ? reply(turn, prose, scene) : nothing}
    ${turn.state === 'waiting' ? working(turn, scene) : nothing}
    ${
      trouble
        ? notice(trouble, scene, { retry: () => scene.retry(turn), edit: () => scene.edit(turn) })
        : nothing
    }`
}

const reply = (turn: Turn, prose: HTMLElement, scene: Scene): TemplateResult => html`<div class="reply">
  ${monogram(scene)}
  <div class="by"><b aria-hidden="true">${nameOf(scene)}</b>${time(turn.answeredAt, 'replied', scene)}</div>
  ${prose}
  <div class="after">
    <button type="button" class="text-button" @click=${() => scene.copyReply(turn)}>
      ${icon(scene.copied === turn.key ? 'check' : 'copy')}
      ${scene.say(scene.copied === turn.key ? 'copied' : 'copyReply')}
    </button>
  </div>
</div>`

function working(turn: Turn, scene: Scene): TemplateResult {
  const { say, now } = scene
  const seconds = Math.floor((now - turn.sentAt) / 1_000)
  const stop = () => {
    if (!turn.isStopping) scene.stop(turn)
  }
  return html`<div class="reply">
    ${monogram(scene)}
    <div class="by"><b>${nameOf(scene)}</b></div>
    <div class="working">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
      <span class="spell">${hint()}</span>
      <button type="button" class="button" aria-disabled=${turn.isStopping} @click=${stop}>
        ${say(turn.isStopping ? 'stopping' : 'stop')}
      </button>
    </div>
  </div>`

  function hint(): unknown {
    if (turn.isUnsure) return say('checking')
    if (!isLong(turn, now)) return html`<span class="sr">${say('working')}</span>`
    return `${say('stillWorking', { seconds })}. ${say('longer')}`
  }
}

/** Sighted readers see who speaks by the place; the others are told with the time. */
const time = (iso: string, key: 'sent' | 'replied', { say, lang }: Scene): TemplateResult => {
  const short = timeOfDay(lang, iso)
  return html`<time datetime=${iso} title=${exactTime(lang, iso)}
    ><span class="sr">${say(key, { time: short })}</span><span aria-hidden="true">${short}</span></time
  >`
}

export const nameOf = ({ name, say }: Scene): string => name || capitalised(say('agent'))

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

export const monogram = (scene: Scene): TemplateResult =>
  html`<span class="monogram" aria-hidden="true">${[...nameOf(scene)][0] ?? ''}</span>`
