// What happens around the widget: other tabs, the network, coming back to the page, a phone's keyboard.

interface Reactions {
  /** Somebody may have come back to the page. */
  catchUp(): void
  /** Another tab of this browser has something new. */
  news(): void
  network(isOnline: boolean): void
}

/** Listens until the signal ends it; what it returns lets all tabs of that name look for what is new. */
export function watchPage(name: string, { catchUp, news, network }: Reactions, signal: AbortSignal) {
  addEventListener('focus', catchUp, { signal })
  addEventListener('online', () => network(true), { signal })
  addEventListener('offline', () => network(false), { signal })
  const shown = () => {
    if (document.visibilityState === 'visible') catchUp()
  }
  document.addEventListener('visibilitychange', shown, { signal })
  const channel = new BroadcastChannel(name)
  channel.onmessage = news
  signal.addEventListener('abort', () => channel.close())
  return () => channel.postMessage('news')
}

/** Takes files that are dropped on the element or pasted into it; `data-dropping` is there while some are held over it. */
export function watchFiles(element: HTMLElement, take: (files: File[]) => void, signal: AbortSignal): void {
  const hover = (isOver: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    element.toggleAttribute('data-dropping', isOver)
  }
  element.addEventListener('dragover', hover(true), { signal })
  element.addEventListener('dragleave', hover(false), { signal })
  const takeFrom = (event: Event, from: DataTransfer | null) => {
    element.removeAttribute('data-dropping')
    const files = [...(from?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
  element.addEventListener('drop', (event) => takeFrom(event, event.dataTransfer), { signal })
  element.addEventListener('paste', (event) => takeFrom(event, event.clipboardData), { signal })
}

/** Less than that is a browser's bar that comes and goes. */
const LEAST_KEYBOARD_PX = 100

/** Keeps `--hidden-by-keyboard` of the element: a phone's keyboard covers the page without making it smaller. */
export function makeRoomForKeyboard(element: HTMLElement, signal: AbortSignal): void {
  const viewport = window.visualViewport
  if (!viewport) return
  const make = () => {
    const { height, offsetTop, scale } = viewport
    // A page that is zoomed into is partly out of sight, too, but nothing covers it.
    const isKeyboard = Math.abs(scale - 1) < 0.01 && window.innerHeight - height >= LEAST_KEYBOARD_PX
    const { bottom } = element.getBoundingClientRect()
    const hidden = isKeyboard ? Math.max(0, bottom - offsetTop - height) : 0
    element.style.setProperty('--hidden-by-keyboard', `${Math.round(hidden)}px`)
  }
  for (const type of ['resize', 'scroll']) viewport.addEventListener(type, make, { signal })
}
