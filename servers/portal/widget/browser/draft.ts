// What was written and not sent outlives a reload and a sign-in, and ends with the tab.

export class Draft {
  text = ''
  #name = ''

  /** Takes up what was written to that instance. */
  open(instance: string): void {
    this.#name = `mindgate-chat:${instance}`
    try {
      this.text = sessionStorage.getItem(this.#name) ?? ''
    } catch {
      // Storage can be switched off: the draft then ends with the page.
      this.text = ''
    }
  }

  write(text: string): void {
    this.text = text
    try {
      if (text === '') sessionStorage.removeItem(this.#name)
      else sessionStorage.setItem(this.#name, text)
    } catch {
      // Off or full: it is still in the box.
    }
  }

  putBack(message: string): void {
    this.write(this.text.trim() === '' ? message : `${message}\n\n${this.text}`)
  }
}
