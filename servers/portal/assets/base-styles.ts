import { FONTS } from './palette.ts'

export const BASE_STYLES = `
:root {
  color-scheme: light dark;
  --shadow: 0 8px 24px oklch(0.2 0.02 260 / 0.14);
  ${FONTS}
}
@media (prefers-color-scheme: dark) { :root { --shadow: 0 8px 24px oklch(0 0 0 / 0.5); } }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scrollbar-gutter: stable; scroll-padding-top: 72px; }
body { margin: 0; background: var(--surface); color: var(--text); font: 15px/24px var(--sans);
  overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
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
code { overflow-wrap: anywhere; direction: ltr; unicode-bidi: isolate; }
pre, .snippet section, .input:is(.mono, [inputmode='email'], [type='url'], [type='tel'], [type='password']) { direction: ltr; }
[dir='rtl'] .turning { transform: scaleX(-1); }
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
}

/* What stands around a page: the side, the bar, the page's head, and the card of whoever isn’t signed in. */
.brand { display: inline-flex; align-items: center; gap: 8px; min-inline-size: 0; color: var(--text);
  font-weight: 620; letter-spacing: -0.01em; text-decoration: none; }
.brand-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.monogram { display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; border-radius: 8px;
  background: var(--accent); color: var(--accent-text); box-shadow: inset 0 0 0 1px var(--accent-line);
  font-size: 14px; font-weight: 650; }
.logo { inline-size: auto; block-size: 28px; max-inline-size: 176px; object-fit: contain; border-radius: 4px; }
@media (prefers-color-scheme: dark) {
  .logo { block-size: 32px; padding: 4px; border-radius: 8px; background: oklch(0.97 0 0); }
}

.bar { position: sticky; inset-block-start: 0; z-index: 5; display: flex; align-items: center;
  justify-content: space-between; gap: 16px; block-size: 56px; padding-inline: 16px;
  border-block-end: 1px solid var(--line); background: var(--surface-raised); }
.menu-button { flex: none; display: inline-flex; align-items: center; gap: 8px; block-size: 40px; padding: 0 12px;
  border: 1px solid var(--line); border-radius: 8px; background: none; color: var(--text);
  font: 550 14px/20px var(--sans); cursor: pointer; }
.menu-button:hover { background: var(--surface-sunken); }

.side { margin: 0; padding: 8px 16px 16px; border: 0; background: var(--surface-raised); color: var(--text);
  font-size: 14px; line-height: 20px; }
.side[popover] { inset-block: 56px auto; inset-inline: 0; inline-size: auto; block-size: auto; max-block-size: calc(100dvh - 56px);
  overflow-y: auto; border-block-end: 1px solid var(--line); box-shadow: var(--shadow); }
.side::backdrop { inset-block-start: 56px; background: oklch(0 0 0 / 0.3); }
.side-brand { display: none; }
.side li a, .side-leave { display: flex; align-items: center; gap: 12px; min-block-size: 44px; padding: 4px 8px;
  border-radius: 8px; color: var(--text); font-weight: 500; text-decoration: none; }
.side li a .icon, .side-leave .icon { color: var(--text-soft); }
.side li a:hover, .side-leave:hover { background: var(--surface-sunken); }
.side li a[aria-current] { background: var(--accent-soft); color: var(--accent-ink); font-weight: 600; }
.side li a[aria-current] .icon { color: inherit; }
.side-group { padding: 16px 8px 4px; color: var(--text-soft); font-size: 12px; font-weight: 550; }
.side-who { margin-block-start: 8px; padding-block-start: 8px; border-block-start: 1px solid var(--line); }
.side-who p { display: grid; justify-items: start; padding: 4px 8px; }
.side-who :is(b, span) { max-inline-size: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.side-who span { color: var(--text-soft); font-size: 13px; }
.side-leave { inline-size: 100%; border: 0; background: none; font: inherit; text-align: start; cursor: pointer; }

main { min-inline-size: 0; padding: 24px 16px 64px; }
.signed-in main > * { max-inline-size: 1040px; margin-inline: auto; }
.page-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px;
  margin-block-end: 24px; }
.page-head h1 { min-inline-size: 0; overflow-wrap: anywhere; }
.page-action { display: flex; flex-wrap: wrap; gap: 8px; }
.content { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.breadcrumbs { margin-block-end: 8px; font-size: 14px; line-height: 20px; }
.breadcrumbs ol { display: flex; flex-wrap: wrap; gap: 4px; }
.breadcrumbs li:not(:last-child)::after { content: "/"; margin-inline-start: 4px; color: var(--text-soft); }
.breadcrumbs a { color: var(--text-soft); text-decoration: none; }
.breadcrumbs a:hover { color: var(--text); text-decoration: underline; }

@media (min-width: 900px) {
  .bar { display: none; }
  .side, .side[popover] { position: fixed; inset-block: 0; inset-inline: 0 auto; display: flex; flex-direction: column; inline-size: 240px;
    block-size: auto; max-block-size: none; padding: 16px 12px; border: 0; border-inline-end: 1px solid var(--line);
    background: var(--surface); box-shadow: none; scrollbar-width: thin; }
  .side::backdrop { display: none; }
  .side-brand { display: flex; padding: 4px 8px 16px; }
  .side li a, .side-leave { min-block-size: 32px; margin-block-end: 2px; }
  .side > ul { flex: 1; }
  .signed-in main { margin-inline-start: 240px; padding: 40px 48px 96px; }
}

.entry main { display: flex; flex-direction: column; align-items: stretch; inline-size: 100%; max-inline-size: 432px;
  min-block-size: 100dvh; margin-inline: auto; padding: 48px 16px; }
.entry-brand { display: flex; justify-content: center; margin-block-end: 24px; font-size: 18px; }
.entry-brand .brand { max-inline-size: 100%; }
.entry-brand .logo { block-size: 40px; max-inline-size: 240px; }
.entry-card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; padding: 24px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.entry-card h1 { font-size: 20px; line-height: 28px; }
.entry-intro { margin-block-start: -12px; color: var(--text-soft); }
.entry-card .form { max-inline-size: none; }
.entry-card .form-actions { display: grid; }
.entry-card > p { font-size: 14px; }
.entry-foot { display: grid; gap: 8px; margin-block-start: 24px; color: var(--text-soft); font-size: 14px;
  text-align: center; }
.entry-foot p { margin-inline: auto; }
@media (min-width: 600px) {
  .entry main { padding-block: 12vh 48px; }
  .entry-card { padding: 32px; }
}

.snippet { overflow: hidden; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.snippet figcaption { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-block-size: 40px;
  padding-block: 8px; padding-inline: 16px 8px; border-block-end: 1px solid var(--line); color: var(--text-soft); font-size: 13px;
  line-height: 20px; font-weight: 550; }
.snippet section { overflow-x: auto; scrollbar-width: thin; }
.snippet section:focus-visible { outline-offset: -2px; }
.snippet pre { margin: 0; padding: 12px 16px; inline-size: max-content; min-inline-size: 100%; }
.snippet code { font-size: 13px; line-height: 20px; overflow-wrap: normal; }
`

/** Buttons, fields, forms. */
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
:is(.button, .copy, .error, .toast-close) .icon { inline-size: 16px; block-size: 16px; }
.button[aria-disabled="true"] { border-color: var(--line); background: var(--surface-sunken);
  color: var(--text-soft); cursor: not-allowed; }
/* On its way: nothing moves, and the ring is shown only to whoever has to wait. */
[aria-busy="true"] { cursor: progress; }
.button[aria-busy="true"]::after { content: ""; position: absolute; inset-block-end: -1px; inset-inline: 0; block-size: 3px;
  border-radius: 8px; background: currentColor; opacity: 0; animation: wait 1.2s 0.3s ease-in-out infinite; }
@keyframes wait { 0%, 100% { opacity: 0.1; } 50% { opacity: 0.8; } }
@media (prefers-reduced-motion: reduce) { .button[aria-busy="true"]::after { animation: none; opacity: 0.6; } }
@media (pointer: coarse) { .button { min-block-size: 44px; } }

.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; max-inline-size: 560px; font-size: 16px; }
fieldset.form:disabled :is(.form-actions, .button), fieldset.form:disabled:not(:has(.input, .choice)) { display: none; }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-block-start: 4px; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; }
.label-line { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; }
label, legend { font-size: 14px; line-height: 20px; font-weight: 550; }
.optional { display: none; color: var(--text-soft); font-size: 13px; line-height: 20px; }
form:has(:required) .optional { display: inline; }
.input { inline-size: 100%; min-block-size: 40px; padding: 7px 12px; border: 1px solid var(--line-strong);
  border-radius: 8px; background: var(--surface-raised); color: var(--text); font: 16px/24px var(--sans); }
.input.mono { font-family: var(--mono); font-size: 15px; }
textarea.input { display: block; unicode-bidi: plaintext; resize: vertical; field-sizing: content; max-block-size: 60vh; }
textarea.input[rows="4"] { min-block-size: 112px; }
.input::placeholder { color: var(--text-soft); opacity: 1; }
.input:hover { border-color: var(--text-soft); }
.input:focus-visible { border-color: var(--accent-line); outline-offset: -1px; }
.input:read-only:not(select, [type="file"]) { border-color: var(--line); background: var(--surface-sunken); }
select.input { appearance: none; padding-inline-end: 36px; background-repeat: no-repeat; background-size: 16px;
  background-position: right 12px center; background-image: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%23808592' stroke-width='1.5' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='m4 6 4 4 4-4'/%3E%3C/svg%3E"); }
[dir='rtl'] select.input { background-position: left 12px center; }
.input[type="file"] { padding: 5px; font-size: 14px; color: var(--text-soft); }
.input::file-selector-button { margin-inline-end: 12px; padding: 3px 12px; border: 1px solid var(--line);
  border-radius: 6px; background: var(--surface); color: var(--text); font: 550 14px/20px var(--sans); cursor: pointer; }
.input[type="number"] { font-variant-numeric: tabular-nums; max-inline-size: 240px; }
.help { color: var(--text-soft); font-size: 13px; line-height: 20px; }
.error { display: flex; align-items: flex-start; gap: 4px; color: var(--bad); font-size: 13px; line-height: 20px;
  font-weight: 500; }
.error .icon { margin-block-start: 2px; }
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
