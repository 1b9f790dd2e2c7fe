// A phone's keyboard covers the page without making it smaller: what it covers of the widget is left free.

/** Less than that is a browser's bar that comes and goes. */
const LEAST_KEYBOARD_PX = 100

/** Keeps `--hidden-by-keyboard` of the element until the signal ends it. */
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
