// What files of a chat are called, here and on a server: nothing in a name that a shell, a header or a page could stumble over.

const MAX_CHARACTERS = 100
/** Of UTF-8: file systems take 255, and while it is written a name is longer. */
const MAX_BYTES = 200

/** The last part of a path, made harmless; its ending stays where it is a short one. */
export function cleanFileName(name: string): string {
  const [last = ''] = name.normalize('NFC').split(/[\\/]/).slice(-1)
  const safe = last
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .trim()
    .replace(/^[.-]/, '_')
  const [ending = ''] = /(?<=.)\.[^. ]{1,20}$/u.exec(safe) ?? []
  const stem = [...safe.slice(0, safe.length - ending.length)].slice(0, MAX_CHARACTERS - [...ending].length)
  while (stem.length > 1 && Buffer.byteLength(stem.join('') + ending) > MAX_BYTES) stem.pop()
  return stem.join('').trimEnd() + ending || 'file'
}
