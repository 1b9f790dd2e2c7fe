// The files of the message that is being written. Each is on its way to the agent's server from the moment it is chosen.
import { isKindTaken } from '../../../../schemas/file-kinds.ts'
import { type ChatFile, refusalOf } from './protocol.ts'
import type { TextKey } from './texts.ts'

export interface Attachment {
  name: string
  size: number
  /** How much of it is there, of 1. */
  share: number
  /** Once the server has it. */
  file?: ChatFile
  trouble?: TextKey
}

/** Tells how much, of 1, has left. Refused with a ChatRefusal, also where one leaves. */
export type Upload = (
  file: File,
  progress: (share: number) => void,
  leaving: AbortSignal
) => Promise<ChatFile>

const MAX_FILES = 5
const MAX_FILE_BYTES = 10_000_000

export class Attachments {
  list: readonly Attachment[] = []
  /** Why some weren't taken. */
  problem: TextKey | undefined

  readonly #bring: Upload
  readonly #changed: (news?: TextKey) => void
  /** One after the other, as the server takes them. */
  #last: Promise<void> = Promise.resolve()
  readonly #leaving = new Map<Attachment, AbortController>()

  /** @param changed told of what there is to draw, and to say aloud */
  constructor(bring: Upload, changed: (news?: TextKey) => void) {
    this.#bring = bring
    this.#changed = changed
  }

  /** All that were chosen are there. */
  get isReady(): boolean {
    return this.list.every(({ file }) => file)
  }

  add(files: readonly File[]): void {
    const fitting = files.slice(0, MAX_FILES - this.list.length)
    this.problem = fitting.length < files.length ? 'tooManyFiles' : undefined
    for (const file of fitting) {
      const { name, size } = file
      const trouble = isKindTaken(name) ? (size > MAX_FILE_BYTES ? 'fileTooLarge' : undefined) : 'fileKind'
      const attachment: Attachment = { name, size, share: 0, ...(trouble ? { trouble } : {}) }
      this.list = [...this.list, attachment]
      if (!trouble) this.#last = this.#last.then(() => this.#upload(attachment, file))
    }
    this.#changed(this.problem ?? this.list.findLast(({ trouble }) => trouble)?.trouble)
  }

  remove(attachment: Attachment): void {
    this.#leaving.get(attachment)?.abort()
    this.list = this.list.filter((other) => other !== attachment)
    this.problem = undefined
    this.#changed()
  }

  /** What goes with the message, and is gone from here. */
  take(): ChatFile[] {
    const files = this.list.flatMap(({ file }) => file ?? [])
    this.list = []
    return files
  }

  /** With the message that they came with; the server still knows them. */
  putBack(files: readonly ChatFile[]): void {
    const back = files.map((file) => ({ name: file.name, size: file.size, share: 1, file }))
    this.list = [...back, ...this.list].slice(0, MAX_FILES)
  }

  async #upload(attachment: Attachment, file: File): Promise<void> {
    if (!this.list.includes(attachment)) return
    const leaving = new AbortController()
    this.#leaving.set(attachment, leaving)
    const progress = (share: number) => {
      attachment.share = share
      this.#changed()
    }
    try {
      attachment.file = await this.#bring(file, progress, leaving.signal)
      this.#changed(this.isReady ? 'filesReady' : undefined)
    } catch (error) {
      attachment.trouble = TROUBLES[refusalOf(error).code] ?? 'fileLost'
      if (!leaving.signal.aborted) this.#changed(attachment.trouble)
    }
    this.#leaving.delete(attachment)
  }
}

const TROUBLES: Readonly<Record<string, TextKey>> = {
  invalid_input: 'fileKind',
  payload_too_large: 'fileTooLarge',
  agent_not_ready: 'agent_not_ready.title',
  ssh_unavailable: 'ssh_now.title',
  unauthorized: 'unauthorized.title'
}
