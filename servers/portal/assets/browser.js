// What pages do beyond HTML; all work without it. `copyText` and `relativeTime` come with it, of their files.

const SPENT_MS = 2_000
const TOAST_MS = 6_000
const REFRESH_MS = 30_000
const RESEND_MS = 10_000

/** The page's language, and what this script says. */
const { lang, dataset: words } = document.documentElement

const live = document.createElement('div')
live.className = 'sr'
live.setAttribute('role', 'status')
document.body.append(live)

/* Copy buttons */

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  const copied = await copyText(button.dataset.copy, button.closest('dialog') ?? document.body)
  live.textContent = copied ? words.copied : words.notCopied
  button.classList.toggle('copied', copied)
  setTimeout(() => {
    button.classList.remove('copied')
    live.textContent = ''
  }, SPENT_MS)
})

/* Times: as long ago as it is now, the exact one in the reader's own time zone */

const exact = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : `${lang}-u-nu-latn`, {
  dateStyle: 'long',
  timeStyle: 'long'
})

function refreshTimes() {
  for (const time of document.querySelectorAll('time[datetime][title]')) {
    // A date needs no refreshing.
    const text = relativeTime((Date.parse(time.dateTime) - Date.now()) / 1_000, lang)
    if (text && time.textContent !== text) time.textContent = text
  }
}

for (const time of document.querySelectorAll('time[datetime][title]')) {
  time.title = exact.format(new Date(time.dateTime))
}
setInterval(refreshTimes, REFRESH_MS)

/* Forms: a second press while the first is on its way does nothing */

document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'true'
  const button = event.submitter
  button?.setAttribute('aria-busy', 'true')
  // An answer that is a download leaves the page as it was.
  setTimeout(() => release(form), RESEND_MS)
})

function release(form) {
  delete form.dataset.sent
  for (const button of document.querySelectorAll('[aria-busy]')) {
    if (button.form === form) button.removeAttribute('aria-busy')
  }
}

addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.forms) release(form)
})

/* Tabs: the current one is in view */

for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const list = tab.closest('ul')
  const [at, room] = [tab, list].map((one) => one.getBoundingClientRect())
  list.scrollBy(at.left + at.width / 2 - room.left - room.width / 2, 0)
}

/* Messages: said aloud. Good news that nobody is reading goes after a while, unless the page would move for it */

for (const toast of document.querySelectorAll('[data-toast]')) {
  const text = toast.querySelector('p')
  // A live region speaks of what changes in it, not of what it was born with.
  text.textContent = `${text.textContent}\u200b`
  const leave = () => toast.remove()
  toast.querySelector('.toast-close').addEventListener('click', leave)
  // The page answered a form: loading it again, or coming back to it, is not to send that anew.
  if (toast.dataset.page) history.replaceState(null, '', toast.dataset.page)
  if (toast.dataset.toast !== 'good' || getComputedStyle(toast).position === 'static') continue
  const stays = toast.querySelector('form') ? 10 * TOAST_MS : TOAST_MS
  let timer = setTimeout(leave, stays)
  for (const type of ['pointerenter', 'focusin']) toast.addEventListener(type, () => clearTimeout(timer))
  for (const type of ['pointerleave', 'focusout']) {
    toast.addEventListener(type, () => {
      clearTimeout(timer)
      timer = setTimeout(leave, stays)
    })
  }
}

/* Dialogs, where the browser can't open or leave them by itself */

if (!('commandForElement' in HTMLButtonElement.prototype)) {
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button[commandfor]')
    const dialog = button && document.getElementById(button.getAttribute('commandfor'))
    if (dialog && button.getAttribute('command') === 'show-modal') dialog.showModal()
    else dialog?.close()
  })
}

if (!('closedBy' in HTMLDialogElement.prototype)) {
  document.addEventListener('click', (event) => {
    if (event.target.matches?.('dialog[closedby="any"]')) event.target.close()
  })
}

/* Pages that go on living: the server sends the whole part, and what differs in it takes its place */

for (const place of document.querySelectorAll('[data-live]')) {
  const source = new EventSource(place.dataset.live)
  const show = (event) => renew(place, JSON.parse(event.data).html)
  source.addEventListener('progress', show)
  source.addEventListener('end', (event) => {
    source.close()
    show(event)
  })
  // A browser asks again by itself, but not after a refusal.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) place.dataset.lost = 'true'
  })
}

function renew(place, html) {
  const template = document.createElement('template')
  template.innerHTML = html
  for (const part of place.querySelectorAll('[data-part]')) {
    const next = template.content.querySelector(`[data-part="${part.dataset.part}"]`)
    // Compared with what was sent before: the page itself has changed its times since.
    const sent = next?.innerHTML
    if (sent === undefined || sent === (part.sent ?? part.innerHTML)) continue
    part.sent = sent
    // Whoever reads further up stays there; whoever is at the end sees what is added.
    const isAtEnd = part.scrollHeight - part.scrollTop - part.clientHeight < 8
    part.replaceChildren(...next.childNodes)
    if (isAtEnd) part.scrollTop = part.scrollHeight
  }
}
