// What the console's pages do beyond HTML; all work without it.

const TYPING_MS = 400

/* Forms that are left with changes ask first */

for (const form of document.querySelectorAll('form[data-guarded]')) {
  let isChanged = false
  form.addEventListener('input', () => {
    isChanged = true
  })
  form.addEventListener('submit', () => {
    isChanged = false
  })
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault()
  })
}

/* What follows from what is typed: the server answers a whole page, and that part of it takes its place */

function follow(place, part, ask) {
  let timer
  const renew = (delay) => {
    clearTimeout(timer)
    const mine = setTimeout(async () => {
      const answer = await ask().catch(() => undefined)
      const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
      const next = page?.querySelector(`[data-part="${part.dataset.part}"]`)
      // Only the last answer counts, whenever it comes.
      if (next && mine === timer) part.replaceChildren(...next.childNodes)
    }, delay)
    timer = mine
  }
  place.addEventListener('input', () => renew(TYPING_MS))
  return renew
}

for (const form of document.querySelectorAll('form[data-asks]')) {
  const body = () => new URLSearchParams(new FormData(form))
  follow(form, form.querySelector('[data-part]'), () =>
    fetch(form.dataset.asks, { method: 'POST', body: body() })
  )
}

/* Ctrl-K and ⌘K: the page “Find”, over this one */

const finder = document.createElement('dialog')
finder.className = 'dialog finder'
finder.setAttribute('aria-label', 'Find')
finder.setAttribute('closedby', 'any')
finder.innerHTML =
  '<input class="input" type="search" aria-label="A customer, a page or an action"><ul class="found" data-part="found"></ul>'
const [typed, found] = finder.children
const refind = follow(typed, found, () => fetch(`/console/find?q=${encodeURIComponent(typed.value)}`))

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  document.body.append(finder)
  if (!finder.open) finder.showModal()
  typed.select()
  refind(0)
})

finder.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [typed, ...links]
  if (step) stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus()
  else if (event.key === 'Enter' && document.activeElement === typed) links[0]?.click()
  else return
  event.preventDefault()
})
