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

/* What follows from a form, while it is filled in: the server answers the whole page, and that part takes its place */

for (const form of document.querySelectorAll('form[data-asks]')) {
  const part = form.querySelector('[data-part]')
  let timer
  form.addEventListener('input', () => {
    clearTimeout(timer)
    const mine = setTimeout(async () => {
      const body = new URLSearchParams(new FormData(form))
      const answer = await fetch(form.dataset.asks, { method: 'POST', body }).catch(() => undefined)
      const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
      const next = page?.querySelector(`[data-part="${part.dataset.part}"]`)
      // Only the last answer counts, whenever it comes.
      if (next && mine === timer) part.replaceChildren(...next.childNodes)
    }, TYPING_MS)
    timer = mine
  })
}
