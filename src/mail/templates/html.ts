// HTML by a tagged template that escapes whatever is put into it, but what it made itself.

const MADE_HERE = Symbol('html')

export interface Html {
  readonly [MADE_HERE]: string
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

type Piece = string | Html | readonly Html[] | undefined

/** @example html`<p title="${name}">${parts.map((part) => html`<b>${part}</b>`)}</p>` */
export function html(literals: TemplateStringsArray, ...pieces: Piece[]): Html {
  const text = literals.reduce((before, literal, index) => before + markup(pieces[index - 1]) + literal)
  return { [MADE_HERE]: text }
}

export const htmlText = (page: Html): string => page[MADE_HERE]

function markup(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return escapeText(piece)
  return MADE_HERE in piece ? piece[MADE_HERE] : piece.map(htmlText).join('')
}
