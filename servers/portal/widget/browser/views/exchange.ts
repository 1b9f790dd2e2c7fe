import { guard } from 'lit/directives/guard.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Exchange } from '../exchanges.ts'
import { renderReply } from '../markdown.ts'
import { exactTime, timeOfDay } from '../moments.ts'
import { troubleOf } from '../trouble.ts'
import { agentName, icon, monogram, notice, type ViewContext } from './elements.ts'
import { filesOf } from './files.ts'

/** After so long it is said that it takes long. */
const LONG_MS = 10_000

export const isLong = ({ sentAt }: Exchange, now: number): boolean => now - sentAt >= LONG_MS

export function exchangeView(exchange: Exchange, context: ViewContext): TemplateResult {
  const trouble = troubleOf(exchange, context.say)
  return html`<div class="message">
      <div class="bubble" dir="auto">${exchange.message}</div>
      ${filesOf(exchange, 'in', context)}
      ${time(exchange.createdAt, 'sent', context)}
    </div>
    ${exchange.state === 'answered' ? reply(exchange, context) : nothing}
    ${exchange.state === 'waiting' ? working(exchange, context) : nothing}
    ${
      trouble
        ? notice(
            trouble,
            context,
            context.isFormer
              ? {}
              : { retry: () => context.retry(exchange), edit: () => context.edit(exchange) }
          )
        : nothing
    }`
}

const reply = (exchange: Exchange, context: ViewContext) => html`<div class="reply">
  ${monogram(context)}
  <div class="by"><b aria-hidden="true">${agentName(context)}</b>${time(exchange.answeredAt, 'replied', context)}</div>
  <div class="said prose" dir="auto">
    ${guard([exchange.reply, context.say], () => renderReply(exchange.reply ?? '', context.say))}
  </div>
  ${filesOf(exchange, 'out', context)}
  <div class="after">
    <button type="button" class="text-button" @click=${() => context.copyReply(exchange)}>
      ${icon(context.copied === exchange.key ? 'check' : 'copy')}
      ${context.say(context.copied === exchange.key ? 'copied' : 'copyReply')}
    </button>
  </div>
</div>`

function working(exchange: Exchange, context: ViewContext): TemplateResult {
  const { say, now } = context
  const seconds = Math.floor((now - exchange.sentAt) / 1_000)
  const stop = () => {
    if (!exchange.isStopping) context.stop(exchange)
  }
  const { text = '', tools = [] } = exchange.progress ?? {}
  return html`<div class="reply">
    ${monogram(context)}
    <div class="by"><b>${agentName(context)}</b></div>
    ${
      text === ''
        ? nothing
        : html`<div class="said prose" dir="auto">${guard([text, say], () => renderReply(text, say))}</div>`
    }
    ${tools.length === 0 ? nothing : html`<p class="tools">${say('used', { tools: lastOf(tools) })}</p>`}
    <div class="working">
      <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
      <span class="spell">${hint()}</span>
      <button type="button" class="button" aria-disabled=${exchange.isStopping} @click=${stop}>
        ${say(exchange.isStopping ? 'stopping' : 'stop')}
      </button>
    </div>
  </div>`

  function hint(): unknown {
    if (exchange.isUnsure) return say('checking')
    if (!isLong(exchange, now)) return html`<span class="sr">${say('working')}</span>`
    return `${say('stillWorking', { seconds })}. ${say('longer')}`
  }
}

const MOST_TOOLS = 5

/** The last ones that differ, in their order. */
const lastOf = (tools: readonly string[]): string =>
  [...new Set(tools.toReversed())].slice(0, MOST_TOOLS).toReversed().join(', ')

/** Sighted readers see who speaks by the place; the others are told with the time. */
const time = (iso: string, key: 'sent' | 'replied', { say, lang }: ViewContext): TemplateResult => {
  const short = timeOfDay(lang, iso)
  return html`<time datetime=${iso} title=${exactTime(lang, iso)}
    ><span class="sr">${say(key, { time: short })}</span><span aria-hidden="true">${short}</span></time
  >`
}
