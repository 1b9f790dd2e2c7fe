import { html, nothing } from 'lit/html.js'
import { roomOf } from '../protocol.ts'
import { icon, notice, type ViewContext } from './elements.ts'
import { attachButton, attached } from './files.ts'

export function composer(context: ViewContext) {
  const { draft, canSend, trouble, say, attachments } = context
  const room = roomOf(draft)
  const isSendable = canSend && !room.isOver && draft.trim() !== '' && attachments?.isReady !== false
  const isAlone = draft.trim() === '' && attachments?.list[0] !== undefined
  const send = (event: Event) => {
    event.preventDefault()
    context.submit()
  }
  return html`<form class="composer" @submit=${send}>
    ${trouble ? notice(trouble, context, { check: context.check }) : nothing}
    ${attached(context)}
    <div class="box">
      ${attachments ? attachButton(context) : nothing}
      <textarea
        rows="1"
        aria-label=${say('message')}
        aria-describedby="hint"
        aria-invalid=${room.isOver}
        placeholder=${say('placeholder')}
        enterkeyhint=${isTouch() ? 'enter' : 'send'}
        autocomplete="off"
        autocapitalize="sentences"
        @input=${(event: InputEvent) => context.write(textOf(event))}
        @keydown=${(event: KeyboardEvent) => onKey(event, context)}
      ></textarea>
      <button type="submit" class="send" aria-disabled=${!isSendable} aria-label=${say('send')} title=${say('send')}>
        ${icon('send')}
      </button>
    </div>
    <p class="hint" id="hint">
      ${isAlone ? html`<span>${say('filesAlone')}</span>` : isTouch() ? nothing : html`<span class="keys">${say('keys')}</span>`}
      ${
        room.characters === undefined
          ? nothing
          : html`<span class=${room.isOver ? 'over' : ''}
              >${say(room.isOver ? 'over' : 'left', { count: room.characters })}</span
            >`
      }
    </p>
  </form>`
}

/** On a touch keyboard Enter is the only way to a new line; the button sends. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches

function onKey(event: KeyboardEvent, { submit }: ViewContext): void {
  // While a word is being composed (Japanese, for one), Enter chooses it. Safari ends composing before that key: 229.
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
  if (isTouch()) return
  event.preventDefault()
  submit()
}

const textOf = ({ target }: Event): string => (target instanceof HTMLTextAreaElement ? target.value : '')
