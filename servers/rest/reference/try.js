// Sends a real request from the page. The key stays in this variable: no storage, cookie or address has it.
let key = ''

const SHOWN = ['content-type', 'x-request-id', 'ratelimit', 'retry-after', 'idempotent-replayed']
const MOST_SHOWN = 100_000

const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}
const field = (label, tag, properties) => {
  const control = element(tag, {
    className: 'input mono',
    autocomplete: 'off',
    required: true,
    ...properties
  })
  return [control, element('label', {}, label, control)]
}

for (const place of document.querySelectorAll('details.try')) {
  place.addEventListener('toggle', () => makeForm(place), { once: true })
}

function makeForm(place) {
  const { method, url, body, asks } = place.dataset
  const [secret, ...keyField] = field('Your API key', 'input', { type: 'password', value: key })
  const [path, ...pathField] = field('Address', 'input', { value: url })
  const [sent, ...bodyField] = field('Body', 'textarea', { value: body })
  const send = element('button', { className: 'button primary' }, `Send ${method}`)
  const answer = element('pre', { tabIndex: 0, role: 'status' })
  const fields = [...keyField, ...pathField, ...(body ? bodyField : []), send]
  const form = element('form', { className: 'form', autocomplete: 'off' }, ...fields)
  place.append(form, element('section', { className: 'snippet' }, answer))
  form.addEventListener('focusin', () => Object.assign(secret, { value: secret.value || key }))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (asks && !confirm(`${asks}? This acts on what is really there.`)) return
    key = secret.value.trim()
    send.disabled = true
    answer.textContent = '…'
    const came = answerOf(path.value, method, body && sent.value)
    answer.textContent = await came.catch(({ message }) => `Nothing came back: ${message}`)
    send.disabled = false
  })
}

async function answerOf(path, method, body) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) throw new Error('the address has to begin with a slash.')
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, body, credentials: 'omit', cache: 'no-store' })
  const told = SHOWN.flatMap((name) =>
    answer.headers.has(name) ? `${name}: ${answer.headers.get(name)}` : []
  )
  const text = await answer.text()
  const isObject = /^application\/json/.test(answer.headers.get('content-type'))
  const shown = isObject ? JSON.stringify(JSON.parse(text), null, 2) : text
  return [`${answer.status} ${answer.statusText}`, ...told, '', shown.slice(0, MOST_SHOWN)].join('\n')
}
