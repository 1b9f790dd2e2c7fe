// Passkeys: the browser makes one or shows one, and the form takes along what it says. Where it can't, the form stays hidden.
for (const place of document.querySelectorAll('[data-passkey]')) {
  place.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
  const [form, failed] = ['form', '[data-failed]'].map((part) => place.querySelector(part))
  form.addEventListener('submit', async (event) => {
    const answer = form.elements.passkey
    if (answer.value !== '') return
    event.preventDefault()
    const options = JSON.parse(place.dataset.passkey)
    const [verb, kind] = options.user ? ['create', 'Creation'] : ['get', 'Request']
    try {
      const publicKey = PublicKeyCredential[`parse${kind}OptionsFromJSON`](options)
      answer.value = JSON.stringify(await navigator.credentials[verb]({ publicKey }))
      form.requestSubmit()
    } catch {
      failed.hidden = false
    }
  })
}
