// Passkeys: the browser makes one or shows one, and the form takes along what it says. Where it can't, the form stays hidden.
for (const place of document.querySelectorAll('[data-passkey]')) {
  const form = place.querySelector('form')
  const [failed] = form.querySelectorAll('[data-failed]')
  place.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
  form.addEventListener('submit', async (event) => {
    const answer = form.elements.passkey
    if (answer.value !== '') return
    event.preventDefault()
    failed.hidden = true
    const options = JSON.parse(place.dataset.passkey)
    try {
      const credential = options.user
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options)
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options)
          })
      answer.value = JSON.stringify(credential)
      form.requestSubmit()
    } catch {
      failed.hidden = false
    }
  })
}
