// Buttons, fields, forms.
export const FORM_STYLES = `
.button { position: relative; display: inline-flex; align-items: center; justify-content: center; gap: 8px;
  min-block-size: 36px; padding: 7px 16px; border: 1px solid transparent; border-radius: 8px;
  font: 550 14px/20px var(--sans); text-align: center; text-decoration: none; cursor: pointer; }
.button.primary { border-color: var(--accent-line); background: var(--accent); color: var(--accent-text); }
.button.primary:hover { background: var(--accent-hover); }
.button.plain { border-color: var(--line); background: var(--surface-raised); color: var(--text); }
.button.plain:hover { background: var(--surface-sunken); }
.button.danger { background: var(--bad-fill); color: oklch(1 0 0); }
.button.danger:hover { background: oklch(from var(--bad-fill) calc(l - 0.05) c h); }
.button.danger-text { color: var(--bad); }
.button .icon { inline-size: 16px; block-size: 16px; }
.button:is(:disabled, [aria-disabled="true"]) { border-color: var(--line); background: var(--surface-sunken);
  color: var(--text-soft); cursor: not-allowed; }
/* On its way: nothing moves, and the ring is shown only to whoever has to wait. */
[aria-busy="true"] { cursor: progress; }
.button[aria-busy="true"]::after { content: ""; position: absolute; inset-block-end: -1px; inset-inline: 0; block-size: 3px;
  border-radius: 8px; background: currentColor; opacity: 0; animation: wait 1.2s 0.3s ease-in-out infinite; }
@keyframes wait { 0%, 100% { opacity: 0.1; } 50% { opacity: 0.8; } }
@media (prefers-reduced-motion: reduce) { .button[aria-busy="true"]::after { animation: none; opacity: 0.6; } }
@media (pointer: coarse) { .button { min-block-size: 44px; } }

.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; max-inline-size: 560px; font-size: 16px; }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-block-start: 4px; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; }
.label-line { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; }
label, legend { font-size: 14px; line-height: 20px; font-weight: 550; }
.optional { display: none; color: var(--text-soft); font-size: 13px; line-height: 20px; }
form:has(:required) .optional { display: inline; }
.input { inline-size: 100%; min-block-size: 40px; padding: 7px 12px; border: 1px solid var(--line-strong);
  border-radius: 8px; background: var(--surface-raised); color: var(--text); font: 16px/24px var(--sans); }
.input.mono { font-family: var(--mono); font-size: 15px; }
textarea.input { display: block; resize: vertical; field-sizing: content; max-block-size: 60vh; }
textarea.input[rows="4"] { min-block-size: 112px; }
.input::placeholder { color: var(--text-soft); opacity: 1; }
.input:hover { border-color: var(--text-soft); }
.input:focus-visible { border-color: var(--accent-line); outline-offset: -1px; }
.input:is(:disabled, :read-only:not(select, [type="color"], [type="file"])) { border-color: var(--line);
  background: var(--surface-sunken); }
.input:disabled { color: var(--text-soft); cursor: not-allowed; }
select.input { appearance: none; padding-inline-end: 36px; background-repeat: no-repeat; background-size: 16px;
  background-position: right 12px center; background-image: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%23808592' stroke-width='1.5' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='m4 6 4 4 4-4'/%3E%3C/svg%3E"); }
select.input:dir(rtl) { background-position: left 12px center; }
.input[type="color"] { inline-size: 72px; padding: 4px; cursor: pointer; }
.input[type="file"] { padding: 5px; font-size: 14px; color: var(--text-soft); }
.input::file-selector-button { margin-inline-end: 12px; padding: 3px 12px; border: 1px solid var(--line);
  border-radius: 6px; background: var(--surface); color: var(--text); font: 550 14px/20px var(--sans); cursor: pointer; }
.input[type="number"] { font-variant-numeric: tabular-nums; max-inline-size: 240px; }
.help { color: var(--text-soft); font-size: 13px; line-height: 20px; }
.error { display: flex; align-items: flex-start; gap: 4px; color: var(--bad); font-size: 13px; line-height: 20px;
  font-weight: 500; }
.error .icon { inline-size: 16px; block-size: 16px; margin-block-start: 2px; }
.wrong .input { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.wrong .input:focus-visible { outline-color: var(--bad); }

.choice { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 4px 12px; }
.choice input { inline-size: 16px; block-size: 16px; margin: 2px 0 0; accent-color: var(--accent-ink); }
.choice label { display: block; font-weight: 500; }
.choices, .fieldset { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.fieldset { gap: 20px; padding-block-start: 24px; border-block-start: 1px solid var(--line); }
.form > input[type="hidden"] + .fieldset { padding-block-start: 0; border: 0; }
:is(.choices, .fieldset) > legend { float: inline-start; inline-size: 100%; }
.fieldset > legend { font-size: 16px; line-height: 24px; font-weight: 620; }
.fieldset > .help { margin-block-start: -16px; font-size: 14px; }
.choices > .help { margin-block-start: -8px; }
@media (pointer: coarse) { .choice label { padding-block: 4px; margin-block-start: -4px; } }

.notice { display: flex; align-items: flex-start; gap: 8px; max-inline-size: 560px; padding: 12px; border-radius: 8px;
  font-size: 14px; line-height: 20px; }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
.notice.good { background: var(--good-soft); color: var(--good); }
.notice a { color: inherit; }
main:has(.wrong) .notice.of-field { display: none; }

.search { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 12px; }
.search-box { position: relative; flex: 1 1 200px; }
.search-box .icon { position: absolute; inset-block-start: 10px; inset-inline-start: 10px; color: var(--text-soft); }
.search-box .input { padding-inline-start: 38px; }
.search .input { min-block-size: 40px; font-size: 14px; }
.search .field { flex: 0 1 auto; }
.search .field label { color: var(--text-soft); font-size: 13px; font-weight: 500; }
.search .button { min-block-size: 40px; }
@media (pointer: coarse) { .search .input { font-size: 16px; } }
@media (max-width: 599px) { .search .field { flex: 1 1 40%; } }
`
