import { html, nothing, type TemplateResult } from 'lit/html.js'
import { exactTime, timeOfDay } from '../moments.ts'
import { troubleOf } from '../trouble.ts'
import type { Turn } from '../turns.ts'
import { agentName, icon, monogram, notice, type ViewContext } from './elements.ts'

/** After so long it is said that it takes long. */
const LONG_MS = 10_000

export const isLong = ({ sentAt }: Turn, now: number): boolean => now - sentAt >= LONG_MS

export function turnView(turn: Turn, prose: HTMLElement, context: ViewContext): TemplateResult {
  const trouble = troubleOf(turn, context.say)
  return html`<div class="message">
      <div class="bubble" dir="auto">${turn.message}</div>
      ${time(turn.createdAt, 'sent', context)}
    </div>
    ${turn.state === 'answered' ? reply(turn, prose, context) : nothing}
    ${turn.state === 'waiting' ? working(turn, context) : nothing}
    ${
      trouble
        ? notice(trouble, context, { retry: () => context.retry(turn), edit: () => context.edit(turn) })
        : nothing
    }`
}

const reply = (
  turn: Turn,
  prose: HTMLElement,
  context: ViewContext
): TemplateResult => html`<div class="reply">
  ${monogram(context)}
  <div class="by"><b aria-hidden="true">${agentName(context)}</b>${time(turn.answeredAt, 'replied', context)}</div>
  ${prose}
  <div class="after">
    <button type="button" class="text-button" @click=${() => context.copyReply(turn)}>
      ${icon(context.copied === turn.key ? 'check' : 'copy')}
      ${context.say(context.copied === turn.key ? 'copied' : 'copyReply')}
    </button>
  </div>
</div>`

function working(turn: Turn, context: ViewContext): TemplateResult {
  const { say, now } = context
  const seconds = Math.floor((now - turn.sentAt) / 1_000)
  const stop = () => {
    if (!turn.isStopping) context.stop(turn)
  }
  return html`<div class="reply">
    ${monogram(context)}
    <div class="by"><b>${agentName(context)}</b></div>
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
const time = (iso: string, key: 'sent' | 'replied', { say, lang }: ViewContext): TemplateResult => {
  const short = timeOfDay(lang, iso)
  return html`<time datetime=${iso} title=${exactTime(lang, iso)}
    ><span class="sr">${say(key, { time: short })}</span><span aria-hidden="true">${short}</span></time
  >`
}
