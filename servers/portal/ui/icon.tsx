// Line icons, drawn on a grid of 20; they decorate, so a screen reader skips them.
import type { FC } from 'hono/jsx'

const PATHS = {
  home: 'M3 9.2 10 3.5l7 5.7M5 8v8.5h3.5V12h3v4.5H15V8',
  memory:
    'M4 5.5c0-1.4 2.7-2.5 6-2.5s6 1.1 6 2.5-2.7 2.5-6 2.5-6-1.1-6-2.5Zm0 0v9C4 15.9 6.7 17 10 17s6-1.1 6-2.5v-9M4 10c0 1.4 2.7 2.5 6 2.5s6-1.1 6-2.5',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.3-3 2.6-4.5 5.5-4.5s5.2 1.5 5.5 4.5M13 4a2.8 2.8 0 0 1 0 5.3M15 12.3c1.7.6 2.8 2 3 4.2',
  plug: 'M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0V7ZM10 14.5V18',
  person: 'M10 10a3.3 3.3 0 1 0 0-6.6A3.3 3.3 0 0 0 10 10ZM3.8 17c.4-3.2 3-5 6.2-5s5.8 1.8 6.2 5',
  wave: 'M3 8.5v3M6.5 6v8M10 3v14M13.5 6v8M17 8.5v3',
  server:
    'M4 3.5h12a1 1 0 0 1 1 1v3.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4.5a1 1 0 0 1 1-1ZM4 11h12a1 1 0 0 1 1 1v3.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V12a1 1 0 0 1 1-1ZM6.5 6.25h.01M6.5 13.75h.01',
  key: 'M12.5 11.5a4.25 4.25 0 1 0-4-2.8L3 14.2V17h2.8v-2H8v-2.2l1.3-1.3M13.5 6.5h.01',
  lock: 'M5.5 9h9v7.5h-9V9ZM7 9V6.5a3 3 0 0 1 6 0V9M10 12v1.5',
  ticket:
    'M3 6.5A1.5 1.5 0 0 1 4.5 5h11A1.5 1.5 0 0 1 17 6.5V8a2 2 0 0 0 0 4v1.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 13.5V12a2 2 0 0 0 0-4V6.5ZM12 5v10',
  receipt:
    'M5 2.8v14.4l2-1.3 1.5 1.3 1.5-1.3 1.5 1.3 1.5-1.3 2 1.3V2.8l-2 1.3-1.5-1.3-1.5 1.3-1.5-1.3L7 4.1 5 2.8ZM8 8h4M8 11.5h4',
  layers: 'm10 3 7 3.5-7 3.5-7-3.5L10 3ZM3 10l7 3.5 7-3.5M3 13.5 10 17l7-3.5',
  brush:
    'M16.5 3.5c-3 .8-7 4.5-8.3 7.3l1.5 1.5c2.8-1.3 6-5.8 6.8-8.8ZM8 11.5c-2-.2-3.3 1-3.5 2.6-.1 1.2-.7 1.9-1.5 2.4 2.7.9 6.3.2 6.5-3',
  cloud: 'M6 15.5a3.5 3.5 0 0 1-.4-7 4.8 4.8 0 0 1 9.2 1 3 3 0 0 1 .2 6H6Z',
  wallet:
    'M3 6.5A1.5 1.5 0 0 1 4.5 5H16a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1H4.5A1.5 1.5 0 0 1 3 15V6.5Zm0 0L13.5 3v2M13 10.8h.01',
  chart: 'M4 16.5v-5M8 16.5v-9M12 16.5v-4M16 16.5v-12',
  list: 'M7 5.5h10M7 10h10M7 14.5h10M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01',
  mail: 'M3 5h14v10.5H3V5Zm0 .8 7 5.2 7-5.2',
  chat: 'M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9l-4 3v-3H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Z',
  menu: 'M3 6h14M3 10h14M3 14h14',
  copy: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4',
  check: 'm4 10.5 4 4 8-9',
  close: 'm5 5 10 10M15 5 5 15',
  alert: 'M10 6.5v4.5M10 13.8h.01M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4Z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  back: 'm11.5 5-5 5 5 5',
  forward: 'm8.5 5 5 5-5 5',
  leave: 'M8 4H4v12h4M8.5 10H17M14 7l3 3-3 3'
}

export type IconName = keyof typeof PATHS

/** What points along the line of reading. */
const TURNING: ReadonlySet<IconName> = new Set(['back', 'forward', 'leave'])

export const Icon: FC<{ name: IconName }> = ({ name }) => (
  <svg
    class={TURNING.has(name) ? 'icon turning' : 'icon'}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
)
