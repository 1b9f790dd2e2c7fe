// What happens around the widget: other tabs, the network, coming back to the page.

interface Reactions {
  /** Somebody may have come back to the page. */
  catchUp(): void
  /** Another tab of this browser has something new. */
  news(): void
  /** Whether the browser is on a network. */
  network(isOnline: boolean): void
}

export class Surroundings {
  readonly #channel: BroadcastChannel
  readonly #unlisten = new AbortController()

  /** @param channel a name that all tabs with the same conversation have in common */
  constructor(channel: string, { catchUp, news, network }: Reactions) {
    const { signal } = this.#unlisten
    addEventListener('focus', catchUp, { signal })
    addEventListener('online', () => network(true), { signal })
    addEventListener('offline', () => network(false), { signal })
    const shown = () => {
      if (document.visibilityState === 'visible') catchUp()
    }
    document.addEventListener('visibilitychange', shown, { signal })
    this.#channel = new BroadcastChannel(channel)
    this.#channel.onmessage = news
  }

  /** Lets the other tabs of this browser look for what is new. */
  tellTabs(): void {
    this.#channel.postMessage('news')
  }

  end(): void {
    this.#unlisten.abort()
    this.#channel.close()
  }
}
