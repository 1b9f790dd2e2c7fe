// A file on its way to the agent's server.
import type { Upload } from './attachments.ts'
import { member, readFile, readRefusal } from './protocol.ts'

/** Longer than the service takes for one. */
const DEADLINE_MS = 120_000

/** By an XMLHttpRequest: of what has left, fetch tells nothing. Refused with a ChatRefusal. */
export const uploadTo =
  (filesUrl: string, signal: AbortSignal): Upload =>
  (file, progress, leaving) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      for (const end of [signal, leaving]) end.addEventListener('abort', () => request.abort())
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        progress(loaded / Math.max(1, total))
      )
      request.addEventListener('loadend', () => {
        const body: unknown = request.response
        if (request.status === 200) resolve(readFile(member(body, 'file')))
        else reject(readRefusal(body, null))
      })
      request.open('POST', `${filesUrl}?name=${encodeURIComponent(file.name)}`)
      request.responseType = 'json'
      request.withCredentials = true
      request.timeout = DEADLINE_MS
      request.send(file)
    })
