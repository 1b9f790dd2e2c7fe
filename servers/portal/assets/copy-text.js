/**
 * Whether it was copied: on pages and in the chat.
 *
 * @param {string} text
 * @param {ParentNode} place where it can be put to be copied from
 */
export async function copyText(text, place) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The clipboard's own interface is there on https and localhost only.
    const area = document.createElement('textarea')
    area.className = 'sr'
    area.value = text
    place.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
