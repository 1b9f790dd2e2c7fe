// The ground: type, links, focus, layout.
export const BASE_STYLES = `
:root {
  color-scheme: light dark;
  --shadow: 0 8px 24px oklch(0.2 0.02 260 / 0.14);
  --sans: "Inter Variable", Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
    "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) { :root { --shadow: 0 8px 24px oklch(0 0 0 / 0.5); } }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scrollbar-gutter: stable; }
body { margin: 0; background: var(--surface); color: var(--text); font: 15px/24px var(--sans);
  overflow-wrap: break-word; -webkit-font-smoothing: antialiased; }
h1, h2, h3, p, dl, dd, ol, ul, figure, fieldset { margin: 0; padding: 0; }
ol, ul { list-style: none; }
fieldset { min-inline-size: 0; border: 0; }
legend { padding: 0; }
h1 { font-size: 24px; line-height: 32px; font-weight: 640; letter-spacing: -0.02em; text-wrap: balance; }
h2 { font-size: 16px; line-height: 24px; font-weight: 620; letter-spacing: -0.01em; }
h3 { font-size: 14px; line-height: 20px; font-weight: 620; }
b { font-weight: 600; }
p { max-inline-size: 70ch; text-wrap: pretty; }
a { color: var(--accent-ink); text-decoration-thickness: 1px; text-underline-offset: 3px; }
code, .mono { font-family: var(--mono); font-size: 0.9em; }
code { overflow-wrap: anywhere; }
time, .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.none { color: var(--text-soft); }
.icon { flex: none; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linecap: round; stroke-linejoin: round; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent-line); outline-offset: 2px; border-radius: 8px; }
.skip { position: fixed; inset-block-start: -64px; inset-inline-start: 16px; z-index: 10; padding: 8px 16px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.skip:focus { inset-block-start: 8px; }

.stack { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
:is(.stack, .card, .content, .prose) > .button { justify-self: start; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.grid { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); }
.prose { display: grid; gap: 12px; max-inline-size: 70ch; }
.prose :is(ul, ol) { padding-inline-start: 24px; list-style: disc; }
.prose ol { list-style: decimal; }
.prose code { padding: 0 4px; border-radius: 4px; background: var(--surface-sunken); }
.prose p { white-space: pre-line; }
@media (prefers-reduced-motion: no-preference) {
  a, .button, .input, .copy, tr { transition: background-color 0.12s, border-color 0.12s, color 0.12s; }
}
@media (forced-colors: active) {
  .button, .badge, .input, .card, .table-frame { border: 1px solid; }
  [aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
  .chart-bar { fill: CanvasText; }
  .chart-line { stroke: CanvasText; }
}
`
