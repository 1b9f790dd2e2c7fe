// Tables and pagers. Where a table has less than 640 px, its rows are stacked; where a window has less than 1200,
// it may scroll inside of its frame, which a sticky head doesn't go with.
export const TABLE_STYLES = `
.table-frame { container-type: inline-size; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface-raised); }
.card > .table-frame { margin-inline: calc(-1 * var(--inside)); border-width: 1px 0 0; border-radius: 0 0 8px 8px; }
.card > .table-frame:first-child { margin-block-start: calc(-1 * var(--inside)); border: 0; border-radius: 8px; }
.card > .table-frame:last-child { margin-block-end: calc(-1 * var(--inside)); }
.table { inline-size: 100%; border-collapse: separate; border-spacing: 0; font-size: 14px; line-height: 20px;
  font-variant-numeric: tabular-nums; }
.table th { padding: 10px 12px; border-block-end: 1px solid var(--line);
  background: var(--surface-raised); color: var(--text-soft); font-size: 13px; font-weight: 500; text-align: start;
  white-space: nowrap; }
.table th:first-child { border-start-start-radius: 8px; }
.table th:last-child { border-start-end-radius: 8px; }
.table td { padding: 12px; border-block-end: 1px solid var(--line); max-inline-size: 420px; overflow-wrap: break-word; vertical-align: middle; }
.table :is(th, td):first-child { padding-inline-start: 16px; }
.table :is(th, td):last-child { padding-inline-end: 16px; }
.card > .table-frame :is(th, td):first-child { padding-inline-start: var(--inside); }
.card > .table-frame :is(th, td):last-child { padding-inline-end: var(--inside); }
.table tbody tr:last-child td { border-block-end: 0; }
.table tbody tr:last-child td:first-child { border-end-start-radius: 8px; }
.table tbody tr:last-child td:last-child { border-end-end-radius: 8px; }
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
  .table thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tbody tr { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; padding: 12px 16px;
    border-block-end: 1px solid var(--line); }
  .card > .table-frame tbody tr { padding-inline: var(--inside); }
  .table tbody tr:last-child { border: 0; }
  .table td, .card > .table-frame td { display: flex; align-items: baseline; justify-content: space-between; gap: 16px;
    max-inline-size: none; padding: 0 !important; border: 0; overflow-wrap: anywhere; text-align: end; }
  .table td:first-child { display: block; margin-block-end: 4px; text-align: start; font-weight: 550; }
  .table td[data-label]::before { content: attr(data-label); flex: none; max-inline-size: 50%; color: var(--text-soft);
    font-weight: 400; }
  .table td.wide { display: none; }
  .table td.acts { justify-content: flex-start; margin-block-start: 4px; text-align: start; }
  .table td.acts:empty { display: none; }
  .table .acts .row { justify-content: flex-start; flex-wrap: wrap; }
}

.pager { display: flex; align-items: center; justify-content: space-between; gap: 16px; color: var(--text-soft);
  font-size: 14px; line-height: 20px; font-variant-numeric: tabular-nums; }
.pager p { white-space: nowrap; }
.pager-steps { display: flex; gap: 8px; }
.pager .button { padding-inline: 12px; }
.pager .icon:dir(rtl) { transform: scaleX(-1); }
`
