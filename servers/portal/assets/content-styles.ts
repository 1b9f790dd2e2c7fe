// Cards and what they hold.
export const CONTENT_STYLES = `
.card { --inside: 24px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px;
  align-content: start; padding: var(--inside);
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.card.danger { border-color: var(--bad); }
.card-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px; }
.card-head > div:first-child { flex: 1 1 240px; }
.card-head p { color: var(--text-soft); font-size: 14px; line-height: 20px; margin-block-start: 4px; }
.card-action { display: flex; flex-wrap: wrap; gap: 8px; }
@media (max-width: 599px) { .card { --inside: 16px; } }

.facts { container-type: inline-size; font-size: 14px; line-height: 20px; }
.facts > div { display: grid; grid-template-columns: min(200px, 30cqi) minmax(0, 1fr); gap: 2px 16px;
  padding-block: 10px; border-block-start: 1px solid var(--line); }
.facts > div:first-child { padding-block-start: 0; border: 0; }
.facts > div:last-child { padding-block-end: 0; }
.facts dt { color: var(--text-soft); }
.facts dd { min-inline-size: 0; overflow-wrap: anywhere; white-space: pre-line; }
/* Short values stay beside their term, long ones go below it. */
@container (max-width: 359px) {
  .facts > div { display: flex; flex-wrap: wrap; justify-content: space-between; }
}

.figures { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 136px), 1fr)); }
.figures a { display: block; padding: 16px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface-raised); color: var(--text); text-decoration: none; }
.figures a:hover { border-color: var(--line-strong); }
.figures b { display: block; font-size: 24px; line-height: 32px; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.figures span { color: var(--text-soft); font-size: 13px; line-height: 20px; }

.badge { display: inline-flex; align-items: center; gap: 6px; block-size: 22px; padding: 0 8px; border-radius: 8px;
  font-size: 12px; line-height: 16px; font-weight: 550; white-space: nowrap; background: var(--surface-sunken);
  color: var(--text-soft); }
.badge::before { content: ""; inline-size: 6px; block-size: 6px; border-radius: 50%; background: currentColor; }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }

.empty { display: grid; justify-items: center; gap: 4px; padding: 32px 16px; text-align: center; }
.empty-title { font-weight: 600; }
.empty-text { max-inline-size: 52ch; color: var(--text-soft); font-size: 14px; line-height: 20px; text-wrap: balance; }
.empty-action { margin-block-start: 12px; }
.content > .empty { padding-block: 48px; border: 1px dashed var(--line); border-radius: 8px; }

.copy { position: relative; z-index: 1; display: inline-grid; place-items: center; flex: none; inline-size: 28px;
  block-size: 28px; margin: -4px 0; padding: 0; border: 0; border-radius: 8px; background: none;
  color: var(--text-soft); vertical-align: middle; cursor: pointer; }
.copy:hover { background: var(--surface-sunken); color: var(--text); }
.copy .icon { grid-area: 1 / 1; inline-size: 16px; block-size: 16px; }
.copy .icon + .icon, .copy.copied .icon { visibility: hidden; }
.copy.copied .icon + .icon { visibility: visible; color: var(--good); }
@media (scripting: none) { .copy { display: none; } }
.id { display: inline-flex; align-items: center; gap: 2px; white-space: nowrap; }
.id code { color: var(--text-soft); font-size: 13px; }
td:first-child .id code, dd .id code { color: var(--text); }

.secret { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 16px; border: 1px solid var(--warn);
  border-radius: 8px; background: var(--surface-raised); }
.secret-label { font-size: 14px; line-height: 20px; font-weight: 600; }
.secret-line { display: flex; align-items: center; gap: 8px; padding: 8px 12px; border-radius: 8px;
  background: var(--surface-sunken); }
.secret-line code { flex: 1; font-size: 14px; line-height: 24px; user-select: all; }
.secret-line .copy:hover { background: var(--surface-raised); }
.secret-note { display: flex; gap: 8px; color: var(--warn); font-size: 14px; line-height: 20px; font-weight: 500; }

.snippet { overflow: hidden; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.snippet figcaption { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-block-size: 40px;
  padding-block: 8px; padding-inline: 16px 8px; border-block-end: 1px solid var(--line); color: var(--text-soft); font-size: 13px;
  line-height: 20px; font-weight: 550; }
.snippet section { overflow-x: auto; scrollbar-width: thin; }
.snippet section:focus-visible { outline-offset: -2px; }
.snippet pre { margin: 0; padding: 12px 16px; inline-size: max-content; min-inline-size: 100%; }
.snippet code { font-size: 13px; line-height: 20px; overflow-wrap: normal; }

.tabs { border-block-end: 1px solid var(--line); }
.tabs ul { display: flex; gap: 4px; overflow-x: auto; scrollbar-width: none; }
.tabs a { display: block; padding: 8px 12px 10px; border-block-end: 2px solid transparent; color: var(--text-soft);
  font-size: 14px; line-height: 20px; font-weight: 550; text-decoration: none; white-space: nowrap; }
.tabs a:hover { color: var(--text); }
.tabs a:focus-visible { outline-offset: -2px; }
.tabs a[aria-current] { border-color: var(--accent-line); color: var(--text); }

.steps { font-size: 14px; line-height: 20px; }
.steps li { position: relative; display: grid; padding-block-end: 16px; padding-inline-start: 32px; }
.steps li::before { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; inline-size: 14px;
  block-size: 14px; border: 2px solid var(--line-strong); border-radius: 50%; background: var(--surface-raised); }
.steps li:not(:last-child)::after { content: ""; position: absolute; inset-block: 21px -1px; inset-inline-start: 9px;
  inline-size: 2px; background: var(--line); }
.steps .done::before { border-color: var(--good); background: var(--good); }
.steps .warned::before { border-color: var(--warn); background: var(--warn); }
.steps .failed::before { border-color: var(--bad); background: var(--bad); }
.steps .running::before { border-color: var(--accent-line); border-block-start-color: transparent; }
.steps .step-label { font-weight: 550; }
.steps :is(.waiting, .skipped) .step-label { color: var(--text-soft); font-weight: 400; }
.step-state, .step-detail { color: var(--text-soft); font-weight: 400; font-size: 13px; overflow-wrap: anywhere; }
.steps .failed :is(.step-state, .step-detail) { color: var(--bad); }
.steps .warned :is(.step-state, .step-detail) { color: var(--warn); }
@media (prefers-reduced-motion: no-preference) { .steps .running::before { animation: turn 1s linear infinite; } }
.log section { max-block-size: 360px; }
@media (scripting: enabled) { [data-live]:not([data-lost]) .when-not-live { display: none; } }
@keyframes turn { to { transform: rotate(1turn); } }
`
