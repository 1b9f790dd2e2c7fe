import { html, type TemplateResult } from 'lit/html.js'

// Drawn on the portal's grid of 20; they decorate, so a screen reader skips them.
const PATHS = {
  send: 'M10 16V4.500M5 9l5-5 5 5',
  down: 'M10 4v11.500M5 11l5 5 5-5',
  copy: 'M7.500 7.500h9v9h-9zM12.500 7.500v-4h-9v9h4',
  check: 'm4 10.500 4 4 8-9',
  alert: 'M10 6.500v4.500M10 13.800h.01M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400Z',
  stopped: 'M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400ZM7.800 7.800h4.400v4.400H7.800z'
}

export const icon = (name: keyof typeof PATHS): TemplateResult => html`<svg class="icon" viewBox="0 0 20 20"
  aria-hidden="true" focusable="false"><path d=${PATHS[name]}></path></svg>`
