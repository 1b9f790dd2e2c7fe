// An agent's reply as a piece of document. It was written by a model that reads what anybody writes to it: no markup of
// its own, nothing that loads by itself, no link but to the web, mail or telephone.
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import type { Say } from './texts.ts'

/** Longer replies are shown as they are: reading them as Markdown would hold up the page. */
const MAX_MARKDOWN = 60_000
/** More than that isn't laid out in a moment even as it is. */
const MAX_SHOWN = 100_000
/** Of one word. Nobody writes such, and patterns for addresses take the square of its length. */
const MAX_WORD = 4_000
/** Characters that the search for the ends of emphases may look at; it goes through all that follows, each time. */
const EMPHASIS_BUDGET = 2_000_000

const TAGS = [
  ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'a', 'blockquote', 'ul', 'ol', 'li'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td']
]

const PLAIN_ATTRIBUTES = ['start', 'align', 'data-language']

export function renderReply(text: string, say: Say): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const html = htmlOf(text, say)
  if (html === undefined) {
    fragment.append(made('p', { className: 'plain', textContent: text.slice(0, MAX_SHOWN) }))
    if (text.length > MAX_SHOWN) fragment.append(`… ${say('tooLong')}`)
    return fragment
  }
  const clean = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', ...PLAIN_ATTRIBUTES],
    // Everything else is held against the pattern of addresses.
    ADD_URI_SAFE_ATTR: PLAIN_ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|tel:)/i,
    RETURN_DOM_FRAGMENT: true
  })
  fragment.append(clean)
  levelHeadings(fragment)
  for (const link of fragment.querySelectorAll('a')) guardLink(link)
  for (const table of fragment.querySelectorAll('table')) frame(table, 'table', say('table'))
  for (const block of fragment.querySelectorAll('pre')) dressCode(block, say)
  return fragment
}

/** Not yet clean; `undefined` for what can't be read as Markdown in a moment. */
function htmlOf(text: string, say: Say): string | undefined {
  if (text.length > MAX_MARKDOWN || text.split(/\s/).some(({ length }) => length > MAX_WORD)) return undefined
  try {
    return parserFor(say).parse(text, { async: false })
  } catch {
    // Nested deeper than the stack is.
    return undefined
  }
}

function parserFor(say: Say): Marked {
  let budget = EMPHASIS_BUDGET
  const withinBudget = (rest: string) => {
    budget -= rest.length
    return budget < 0 ? undefined : false
  }
  const isText = () => undefined
  return new Marked({
    gfm: true,
    breaks: true,
    // To answer false is to leave it to Marked, undefined is to see text.
    tokenizer: { html: isText, tag: isText, emStrong: withinBudget, del: withinBudget },
    renderer: {
      // Showing an image would tell its server that and when it was read, and whatever the address carries.
      image: ({ href, text }) =>
        `<a href="${escaped(href)}">${escaped(say('imageLink', { text: text || href }))}</a>`,
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code: ({ text, lang = '' }) =>
        `<pre data-language="${escaped(lang.split(/\s/)[0] ?? '')}"><code>${escaped(text)}</code></pre>`
    }
  })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Headings fit below the page's own: the first is of level 2, and none skips a level. */
function levelHeadings(fragment: DocumentFragment): void {
  const headings = [...fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const depths = headings.map(({ localName }) => Number(localName.slice(1)))
  const top = Math.min(...depths)
  let last = 1
  for (const [index, heading] of headings.entries()) {
    last = Math.min(6, last + 1, (depths[index] ?? top) - top + 2)
    const level = document.createElement(`h${last}`)
    level.append(...heading.childNodes)
    heading.replaceWith(level)
  }
}

/** A link opens beside the chat, tells its target nothing, and where it leads is seen before it is followed. */
function guardLink(link: HTMLAnchorElement): void {
  if (!link.hasAttribute('href')) {
    link.replaceWith(...link.childNodes)
    return
  }
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
  link.title = link.href
}

/** What is too wide scrolls inside of a frame of its own, by keyboard too. */
function frame(content: Element, kind: string, label: string): HTMLElement {
  const scroller = made('div', { className: `scroller ${kind}`, tabIndex: 0 })
  // Not as properties, which browsers of 2023 don't reflect.
  scroller.setAttribute('role', 'group')
  scroller.setAttribute('aria-label', label)
  content.replaceWith(scroller)
  scroller.append(content)
  return scroller
}

function dressCode(block: HTMLElement, say: Say): void {
  const language = block.dataset.language ?? ''
  const box = made('div', { className: 'code' })
  const head = made('div', { className: 'code-head' })
  const copy = made('button', { type: 'button', className: 'text-button', textContent: say('copyCode') })
  copy.dataset.copy = 'code'
  head.append(made('span', { textContent: language || say('code') }), copy)
  const scroller = frame(block, 'code-text', language ? `${say('code')}, ${language}` : say('code'))
  scroller.dir = 'ltr'
  scroller.replaceWith(box)
  box.append(head, scroller)
}

export const made = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>
): HTMLElementTagNameMap[Tag] => Object.assign(document.createElement(tag), properties)
