// Passkeys: the browser makes one or shows one, and the form takes along what it says. Where it can't, no button is there.
for (const place of document.querySelectorAll('[data-passkey]')) {
  const form = place.querySelector('form')
  const ask = place.querySelector('[data-ask]')
  ask.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
  ask.querySelector('button').addEventListener('click', async () => {
    const options = JSON.parse(place.dataset.passkey)
    const [verb, kind] = options.user ? ['create', 'Creation'] : ['get', 'Request']
    try {
      const publicKey = PublicKeyCredential[`parse${kind}OptionsFromJSON`](options)
      form.elements.passkey.value = JSON.stringify(await navigator.credentials[verb]({ publicKey }))
      // Without the code that it asks for otherwise.
      form.submit()
    } catch {
      ask.querySelector('[role=alert]').hidden = false
    }
  })
}
