// A custom element that is drawn again when something changed: lit's templates, without the rest of lit's element.
import { render, type TemplateResult } from 'lit/html.js'

export abstract class LiveElement extends HTMLElement {
  protected readonly root: ShadowRoot
  #isDue = false

  /** @param styles kept apart from the page's, and no inline style to a content security policy */
  constructor(styles: string) {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    this.root = this.attachShadow({ mode: 'open' })
    this.root.adoptedStyleSheets = [sheet]
  }

  protected abstract draw(): TemplateResult
  protected abstract beforeDraw(): void
  protected abstract afterDraw(): void

  /** Draws once, however much changed meanwhile. */
  protected changed(): void {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      if (!this.isConnected) return
      this.beforeDraw()
      render(this.draw(), this.root)
      this.afterDraw()
    })
  }

  protected find<Found extends Element>(type: new () => Found, selector: string): Found | undefined {
    const found = this.root.querySelector(selector)
    return found instanceof type ? found : undefined
  }
}
