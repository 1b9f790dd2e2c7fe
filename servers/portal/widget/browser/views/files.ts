// Files: of the message that is being written, of one that was sent, and of a reply.
import { html, nothing, type TemplateResult } from 'lit/html.js'
import { FILE_KINDS } from '../../../../../schemas/file-kinds.ts'
import type { Attachment } from '../attachments.ts'
import type { Exchange } from '../exchanges.ts'
import type { ChatFile } from '../protocol.ts'
import { icon, type ViewContext } from './elements.ts'

const ACCEPTED = FILE_KINDS.map((kind) => `.${kind}`).join()

export const attachButton = ({
  say,
  attachments
}: ViewContext): TemplateResult => html`<label class="attach" title=${say('attach')}>
  <input
    type="file"
    multiple
    class="sr"
    accept=${ACCEPTED}
    aria-label=${say('attach')}
    @change=${({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return
      attachments?.add([...(target.files ?? [])])
      // The same file can be chosen again.
      target.value = ''
    }}
  />
  ${icon('attach')}
</label>`

export function attached(context: ViewContext): unknown {
  const { list = [], problem } = context.attachments ?? {}
  return html`${
    list.length === 0
      ? nothing
      : html`<ul class="files" role="list" aria-label=${context.say('files')}>${list.map((one) => html`<li>${chip(one, context)}</li>`)}</ul>`
  }${problem ? html`<p class="files-problem">${context.say(problem)}</p>` : nothing}`
}

function chip(one: Attachment, { say, lang, detach }: ViewContext): TemplateResult {
  const { name, size, share, file, trouble } = one
  const label = say('removeFile', { file: name })
  return html`<span class="file ${trouble ? 'bad' : ''}">
    ${icon(trouble ? 'alert' : 'file')}
    <span class="file-name" dir="auto" title=${name}>${name}</span>
    <span class="file-size">${trouble ? say(trouble) : sizeOf(lang, size)}</span>
    ${file || trouble ? nothing : html`<progress max="1" value=${share} aria-label=${say('uploading', { file: name })}></progress>`}
    <button type="button" aria-label=${label} title=${label} @click=${() => detach(one)}>${icon('close')}</button>
  </span>`
}

/** Those that came with a message are named; those of a reply can be had. */
export function filesOf(exchange: Exchange, direction: ChatFile['direction'], context: ViewContext): unknown {
  const { say, lang, fileHref } = context
  const files = exchange.files.filter((file) => file.direction === direction)
  if (files.length === 0) return nothing
  const about = ({ name, size }: ChatFile, sign: 'file' | 'down') => html`${icon(sign)}
    <span class="file-name" dir="auto" title=${name}>${name}</span> <span class="file-size">${sizeOf(lang, size)}</span>`
  return html`<ul class="files" role="list" aria-label=${say(direction === 'in' ? 'files' : 'filesOfReply')}>
    ${files.map((file) =>
      direction === 'in'
        ? html`<li><span class="file">${about(file, 'file')}</span></li>`
        : html`<li><a class="file" href=${fileHref(exchange, file)} download=${file.name}>${about(file, 'down')}</a></li>`
    )}
  </ul>`
}

function sizeOf(lang: string, bytes: number): string {
  const [unit, each] = bytes < 1_000_000 ? ['kilobyte', 1_000] : ['megabyte', 1_000_000]
  const size = Math.max(0.1, bytes / each)
  const options = { style: 'unit', unit, maximumFractionDigits: size < 10 ? 1 : 0 } as const
  return new Intl.NumberFormat(lang || undefined, { ...options, numberingSystem: 'latn' }).format(size)
}
