// The log: days and turns, or what stands there while there are none.
import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Conversation } from '../conversation.ts'
import { dayOf } from '../moments.ts'
import type { Turn } from '../turns.ts'
import type { Scene } from './scene.ts'
import { monogram } from './turn.ts'
import type { TurnNodes } from './turn-nodes.ts'

export function thread(conversation: Conversation, nodes: TurnNodes, scene: Scene): TemplateResult {
  const { turns, isLoading, isBarred, older } = conversation
  return html`<div class="thread">
    ${older === null ? nothing : earlier(conversation, scene)}
    ${isLoading && turns.length === 0 && !isBarred ? skeleton(scene) : nothing}
    ${!isLoading && turns.length === 0 && !isBarred ? empty(scene) : nothing}
    ${turns.map((turn, index) => [day(turn, turns[index - 1], scene), nodes.of(turn, scene)])}
  </div>`
}

const earlier = ({ isLoadingOlder }: Conversation, { say, loadOlder }: Scene): TemplateResult =>
  html`<button
    type="button"
    class="button earlier"
    aria-disabled=${isLoadingOlder}
    @click=${loadOlder}
  >
    ${say('earlier')}
  </button>`

function day(turn: Turn, before: Turn | undefined, { lang, now, say }: Scene): unknown {
  const name = dayOf(lang, turn.createdAt, now, say)
  if (before && dayOf(lang, before.createdAt, now, say) === name) return nothing
  return html`<p class="day">${name}</p>`
}

const empty = (scene: Scene): TemplateResult => html`<div class="empty">
  ${monogram(scene)}
  <b>${scene.say('emptyTitle')}</b>
  <p>${scene.say('emptyText')}</p>
</div>`

const skeleton = ({ say }: Scene): TemplateResult => html`<div class="skeleton">
  <i></i><i></i><i></i><i></i><span class="sr">${say('loading')}</span>
</div>`
