export const CONTENT_STYLES = `
.card { --inside: 24px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px;
  align-content: start; padding: var(--inside);
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.card.danger { border-color: var(--bad); }
.card-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px; }
.card-head > div:first-child { flex: 1 1 240px; }
.card-head p { color: var(--text-soft); font-size: 14px; line-height: 20px; margin-block-start: 4px; }
.card-action { display: flex; flex-wrap: wrap; gap: 8px; }
@media (max-width: 599px) {
  .card { --inside: 16px; gap: 12px; }
  .content, .content > .stack { gap: 16px; }
}

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
.figures :is(a, div) { display: block; block-size: 100%; padding: 16px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface-raised); color: var(--text); text-decoration: none; }
.figures a:hover { border-color: var(--line-strong); }
.figures b { display: block; font-size: 24px; line-height: 32px; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
@media (max-width: 599px) { .figures b { font-size: 20px; } }
.figures span { color: var(--text-soft); font-size: 13px; line-height: 20px; }

.badge { display: inline-flex; align-items: center; gap: 6px; block-size: 22px; padding: 0 8px; border-radius: 8px;
  font-size: 12px; line-height: 16px; font-weight: 550; white-space: nowrap; background: var(--surface-sunken);
  color: var(--text-soft); }
.badge::before { content: ""; inline-size: 6px; block-size: 6px; border-radius: 50%; background: currentColor; }
:is(.badge, .notice).good { background: var(--good-soft); color: var(--good); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
:is(.badge, .notice).bad { background: var(--bad-soft); color: var(--bad); }

.empty { display: grid; justify-items: center; gap: 4px; padding: 32px 16px; text-align: center; }
.empty-title { font-weight: 600; }
.empty-text { max-inline-size: 52ch; color: var(--text-soft); font-size: 14px; line-height: 20px; text-wrap: balance; }
.empty-action { margin-block-start: 12px; }
.content > .empty { padding-block: 48px; border: 1px dashed var(--line); border-radius: 8px; }

.copy { position: relative; z-index: 1; display: inline-grid; place-items: center; flex: none; inline-size: 28px;
  block-size: 28px; margin: -4px 0; padding: 0; border: 0; border-radius: 8px; background: none;
  color: var(--text-soft); vertical-align: middle; cursor: pointer; }
.copy:hover { background: var(--surface-sunken); color: var(--text); }
.copy .icon { grid-area: 1 / 1; }
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

.tabs { border-block-end: 1px solid var(--line); }
.tabs ul { display: flex; overflow-x: auto; scrollbar-width: none; }
.tabs a { display: block; padding: 8px 12px 10px; border-block-end: 2px solid transparent; color: var(--text-soft);
  max-inline-size: 280px; overflow: hidden; text-overflow: ellipsis; font-size: 14px; line-height: 20px; font-weight: 550;
  text-decoration: none; white-space: nowrap; }
.tabs a:hover { color: var(--text); }
.tabs a:focus-visible { outline-offset: -2px; }
.tabs a[aria-current] { border-color: var(--accent-line); color: var(--text); }

.steps { font-size: 14px; line-height: 20px; }
.steps li { position: relative; display: grid; padding-block-end: 16px; padding-inline-start: 32px; }
.steps li::before { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; inline-size: 14px;
  block-size: 14px; border: 2px solid var(--line-strong); border-radius: 50%; background: var(--surface-raised); }
.steps li:not(:last-child)::after { content: ""; position: absolute; inset-block: 21px -1px; inset-inline-start: 9px;
  inline-size: 2px; background: var(--line); }
.steps .done::before { content: "✓" / ""; border-color: var(--good); background: var(--good); color: var(--surface-raised);
  font: 700 10px/10px var(--sans); text-align: center; }
.steps .warned::before { border-color: var(--warn); background: var(--warn); }
.steps .failed::before { border-color: var(--bad); background: var(--bad); }
.steps .running::before { border-color: var(--accent-line); border-block-start-color: transparent; }
.steps .step-label { font-weight: 550; }
.step-detail .button { display: flex; inline-size: fit-content; margin-block-start: 8px; }
.steps :is(.waiting, .skipped) .step-label { color: var(--text-soft); font-weight: 400; }
.step-state, .step-detail { color: var(--text-soft); font-weight: 400; font-size: 13px; overflow-wrap: anywhere; }
.steps .failed :is(.step-state, .step-detail) { color: var(--bad); }
.steps .warned :is(.step-state, .step-detail) { color: var(--warn); }
@media (prefers-reduced-motion: no-preference) { .steps .running::before { animation: turn 1s linear infinite; } }
.log section { max-block-size: 360px; }
@media (scripting: enabled) { [data-live]:not([data-lost]) .when-not-live { display: none; } }
/* Room for what is said at the end, so that nothing moves for it. */
[data-live] > [data-part="outcome"] { min-block-size: 52px; @media (max-width: 639px) { min-block-size: 100px; } }
@keyframes turn { to { transform: rotate(1turn); } }

.found { list-style: none; padding: 0; }
.found a { display: block; padding: 8px 12px; border-radius: 8px; color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
.found a:is(:hover, :focus-visible) { background: var(--surface-sunken); }
.finder { margin-block-start: 12vh; } .finder .found { margin-block-start: 12px; }
.standing { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px; }
.standing:has(form) > p { flex: 1 1 240px; }

/* The end of a long form, in sight all the time; and what else than the choices is said, only where that is chosen. */
.save-bar { position: sticky; inset-block-end: 0; z-index: 3; display: flex; flex-wrap: wrap; align-items: center;
  justify-content: space-between; gap: 8px 24px; padding-block: 12px; border-block-start: 1px solid var(--line);
  background: var(--surface-raised); font-size: 14px; line-height: 20px; }
.form > .save-bar { inline-size: 100%; max-inline-size: none; }
@media (scripting: enabled) { .unscripted { display: none; } }
.open-choice { display: grid; gap: 12px; }
.open-choice:not(:has(option[value="…other"]:checked)) > .field:last-child { display: none; }

/* Tables and pagers. Where a table has less than 640 px, its rows are stacked; where a window has less than 1200, it may scroll inside of its frame, which a sticky head doesn't go with. */
.table-frame { container-type: inline-size; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface-raised); }
.card > .table-frame { --edge: var(--inside); margin-inline: calc(-1 * var(--inside)); border-width: 1px 0 0; border-radius: 0 0 8px 8px; }
.card > .table-frame:first-child { margin-block-start: calc(-1 * var(--inside)); border: 0; border-radius: 8px; }
.card > .table-frame:last-child { margin-block-end: calc(-1 * var(--inside)); }
.table { inline-size: 100%; border-collapse: separate; border-spacing: 0; font-size: 14px; line-height: 20px;
  font-variant-numeric: tabular-nums; }
.table th { padding: 10px 12px; border-block-end: 1px solid var(--line);
  background: var(--surface-raised); color: var(--text-soft); font-size: 13px; font-weight: 500; text-align: start;
  white-space: nowrap; }
.table th a { color: inherit; text-decoration: none; }
.table th a:hover { text-decoration: underline; }
.table [aria-sort] a::after { content: " ↓" / ""; }
.table [aria-sort="ascending"] a::after { content: " ↑" / ""; }
.table th:first-child { border-start-start-radius: 8px; }
.table th:last-child { border-start-end-radius: 8px; }
.table td { padding: 12px; border-block-end: 1px solid var(--line); max-inline-size: 420px; overflow-wrap: break-word; vertical-align: middle; }
.table :is(bdi, td > a:not(.button)) { overflow-wrap: anywhere; }
.table :is(th, td):first-child { padding-inline-start: var(--edge, 16px); }
.table :is(th, td):last-child { padding-inline-end: var(--edge, 16px); }
.table tbody tr:last-child td { border-block-end: 0;
  &:first-child { border-end-start-radius: 8px; }
  &:last-child { border-end-end-radius: 8px; }
}
.table .end { text-align: end; }
.table .acts { text-align: end; white-space: nowrap; }
.table .acts .row { justify-content: flex-end; flex-wrap: nowrap; }
.table .button { min-block-size: 32px; padding: 5px 12px; font-size: 13px; }
.linked { position: relative; }
.linked:hover td { background: var(--surface); }
.linked :is(button, a:not(.row-link), time, dialog, form) { position: relative; z-index: 1; }
.linked dialog { position: fixed; }
.row-link { color: var(--text); font-weight: 550; text-decoration: none; }
.row-link::after { content: ""; position: absolute; inset: 0; }
.row-link:focus-visible { outline: none; }
.row-link:focus-visible::after { outline: 2px solid var(--accent-line); outline-offset: -2px; border-radius: 8px; }
.linked:hover .row-link { text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: 1px; }
@media (min-width: 1200px) {
  .table-frame { overflow-x: clip; }
  .table th { position: sticky; inset-block-start: 0; z-index: 2; }
}

@container (max-width: 639px) {
  .table, .table tbody { display: block; }
  .table thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); visibility: hidden; }
  .table tbody tr { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; padding: 12px var(--edge, 16px);
    border-block-end: 1px solid var(--line); }
  .table tbody tr:last-child { border: 0; }
  .table td, .card > .table-frame td { display: flex; align-items: baseline; justify-content: space-between; gap: 16px;
    max-inline-size: none; padding: 0 !important; border: 0; overflow-wrap: anywhere; text-align: end; }
  .table td:first-child { display: block; margin-block-end: 4px; text-align: start; font-weight: 550; }
  .table td[data-label]::before { content: attr(data-label); flex: none; max-inline-size: 50%; color: var(--text-soft);
    font-weight: 400; }
  .table td.wide { display: none; }
  .table td.acts { justify-content: flex-start; margin-block-start: 4px; text-align: start; }
  /* Beside a name there is room for a button; beside a text or an address there isn't. */
  .table tr:has(> td:first-child > :is(bdi, b)):has(.acts > *):not(:has(.row > :not(dialog) ~ :not(dialog))) { grid-template-columns: minmax(0, 1fr) fit-content(50%);
    > td:not(:first-child) { grid-column: 1 / -1; }
    > td.acts { grid-area: 1 / 2; margin: 0; }
  }
  .table td:empty { display: none; }
  .table .acts .row { justify-content: flex-start; flex-wrap: wrap; }
}

.pager { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 16px; color: var(--text-soft);
  font-size: 14px; line-height: 20px; font-variant-numeric: tabular-nums; }
.pager p { white-space: nowrap; }
.pager [aria-current] { color: var(--text); font-weight: 550; text-decoration: none; }
.pager-steps { display: flex; gap: 8px; }
.pager .button { padding-inline: 12px; }

/* Charts. */
.chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.chart figcaption { display: flex; flex-wrap: wrap; gap: 0 8px; font-size: 14px; line-height: 20px; }
.chart-unit { color: var(--text-soft); }
.chart-body { display: flex; direction: ltr; }
.chart-body svg { display: block; overflow: visible; }
.chart-axis { flex: none; }
.chart-plot { flex: 1; min-inline-size: 0; }
.chart text { fill: var(--text-soft); font: 12px/16px var(--sans); font-variant-numeric: tabular-nums; }
.chart-grid { stroke: var(--line); }
.chart-zero { stroke: var(--line-strong); }
.chart-grid, .chart-zero { shape-rendering: crispEdges; }
.chart-bar { fill: var(--accent-line); }
.chart-hit { fill: transparent; }
.chart-point:hover .chart-hit { fill: var(--surface-sunken); }
.chart-point:hover .chart-bar { fill: var(--accent-ink); }
.chart-empty { display: grid; place-items: center; block-size: 200px; max-inline-size: none; border-radius: 8px;
  background: var(--surface); color: var(--text-soft); font-size: 14px; }
.chart-table { font-size: 13px; line-height: 20px; }
.chart-table summary { inline-size: fit-content; color: var(--text-soft); cursor: pointer; }
.chart-table summary:hover { color: var(--text); }
.chart-table table { margin-block-start: 8px; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.chart-table :is(th, td) { padding-block: 4px; padding-inline: 0 24px; border-block-end: 1px solid var(--line); font-weight: 400;
  text-align: start; }
.chart-table thead th { color: var(--text-soft); font-weight: 500; }
.chart-table .end { padding-inline: 0; text-align: end; }
@media (max-width: 599px) { .chart .minor { display: none; } }

/* What floats: dialogs and messages. */
.dialog { inline-size: min(480px, calc(100vw - 32px)); max-block-size: calc(100dvh - 32px); padding: 24px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); color: var(--text);
  box-shadow: var(--shadow); font: 15px/24px var(--sans); text-align: start; white-space: normal;
  overflow-wrap: anywhere; }
.dialog::backdrop { background: oklch(0 0 0 / 0.4); }
.dialog h2 { font-size: 18px; }
.dialog-text { display: grid; gap: 8px; margin-block-start: 8px; color: var(--text-soft); font-size: 15px; font-weight: 400; }
.dialog-actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; margin-block-start: 24px; }
.dialog .button { min-block-size: 36px; padding: 7px 16px; font-size: 14px; }
@media (prefers-reduced-motion: no-preference) {
  .dialog[open] { animation: rise 0.12s ease-out; }
  @keyframes rise { from { opacity: 0; transform: translateY(4px); } }
}

.toasts:empty { display: none; }
.toast { position: fixed; z-index: 20; inset-block-end: 16px; inset-inline-end: 16px; display: flex;
  align-items: flex-start; gap: 12px; inline-size: min(400px, calc(100vw - 32px)); padding-block: 12px; padding-inline: 16px 12px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); box-shadow: var(--shadow);
  font-size: 14px; line-height: 20px; }
.toast p { flex: 1; overflow-wrap: anywhere; }
.toast .button { min-block-size: 32px; margin-block: -6px; padding: 5px 12px; font-size: 13px; }
.toast.good > .icon { color: var(--good); }
.toast.warn > .icon { color: var(--warn); }
.toast.bad > .icon { color: var(--bad); }
.toast.bad { border-color: var(--bad); }
.toast-close { display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; margin: -4px 0;
  padding: 0; border: 0; border-radius: 8px; background: none; color: var(--text-soft); cursor: pointer; }
.toast-close:hover { background: var(--surface-sunken); color: var(--text); }
@media (min-width: 900px) { .toast { inset-block-end: 24px; inset-inline-end: 24px; } }
/* Where there is little room, or nobody to take it away, it stands in the page's flow and covers nothing. */
@media (scripting: none), (max-width: 899px) {
  .toast { position: static; inline-size: auto; margin-block-end: 16px; box-shadow: none; }
}
@media (scripting: none) { .toast-close { display: none; } }
.entry .toast { position: static; inline-size: auto; margin-block-end: 16px; box-shadow: none; }

/* The chat's page: the window's height is the conversation's, and the widget has the portal's colours. */
mindgate-chat { flex: 1; --mindgate-accent: var(--accent); --mindgate-accent-text: var(--accent-text);
  --mindgate-accent-hover: var(--accent-hover); --mindgate-accent-ink: var(--accent-ink);
  --mindgate-accent-line: var(--accent-line); --mindgate-accent-soft: var(--accent-soft); }
.signed-in main:has(mindgate-chat) { display: flex; flex-direction: column; block-size: calc(100dvh - 56px);
  min-block-size: 400px; padding: 16px 0 0;
  > * { inline-size: 100%; }
  .page-head { margin-block-end: 16px; }
  .page-head, .tabs, noscript { padding-inline: 16px; }
  .content { flex: 1; display: flex; flex-direction: column; gap: 0; min-block-size: 0; }
  mindgate-chat { --mindgate-border: 0; --mindgate-radius: 0; min-block-size: 0; border-block-start: 1px solid var(--line); }
  .tabs + mindgate-chat { border: 0; }
}
@media (scripting: none) { mindgate-chat { display: none; } }
@media (min-width: 900px) {
  .signed-in main:has(mindgate-chat) { block-size: 100dvh; padding: 40px 48px 32px;
    .page-head, .tabs, noscript { padding-inline: 0; }
    .content { gap: 16px; }
    mindgate-chat { --mindgate-border: 1px solid var(--line); --mindgate-radius: 8px; border: 0; }
  }
}
@media print {
  .side, .console .bar, .menu-button, .skip, .breadcrumbs, .tabs, .toasts, .page-action, .not-printed { display: none !important; }
  .signed-in main { margin: 0; padding: 0; }
  .card { break-inside: auto; }
  .table tr { break-inside: avoid; }
}
`
