// Addresses in an answer. A link that nobody ever stored is how stored text would send its reader away, or what it read.

const LINK_TARGET = /\]\(\s*<?([^)\s>]*)/g
const WITH_SCHEME =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'()[\]]+|\b(?:mailto|tel|sms|javascript|data):[^\s<>"'()[\]]+/gi
const MAILBOX = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu
/** `evil.example/path`; a sentence that lacks its blank goes on with a capital. */
const BARE =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+\p{Ll}{2,24}(?![\p{L}\p{N}])(?:[:/?#][^\s<>"'()[\]]*)?/gu

/** Whether each address in the text stands in one of the others as well. */
export function addressesStandIn(text: string, others: readonly string[]): boolean {
  const known = others.map(visible).join('\n').toLowerCase()
  return addressesIn(visible(text)).every((address) => stands(address.toLowerCase(), known))
}

const visible = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '')

function addressesIn(text: string): string[] {
  const addresses: string[] = [...text.matchAll(LINK_TARGET)].map(([, target = '']) => target)
  let rest = text
  for (const pattern of [WITH_SCHEME, MAILBOX, BARE]) {
    // What is a part of one is none by itself.
    rest = rest.replace(pattern, (address) => {
      addresses.push(address)
      return ' '
    })
  }
  return addresses.map((address) => address.replace(/^-+|[.,;:!?*_`'"’”)\]]+$/g, '')).filter(Boolean)
}

/** Not as a part of a longer one: `evil.example` isn't known from `good.evil.example`. */
function stands(address: string, known: string): boolean {
  for (let at = known.indexOf(address); at >= 0; at = known.indexOf(address, at + 1)) {
    const before = known[at - 1] ?? ' '
    const after = known.slice(at + address.length, at + address.length + 2)
    if (!/[\p{L}\p{N}.@-]/u.test(before) && !/^(?:[\p{L}\p{N}_%@/-]|\.[\p{L}\p{N}])/u.test(after)) return true
  }
  return false
}
