// The reference page’s stylesheet; served by us.
import { declarations, FONTS, PALETTE } from '../../portal/assets/palette.ts'

const CONTENT_STYLES = `
h1, h2, h3, h4 { margin: 0; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
h1 { font-size: 34px; font-weight: 680; letter-spacing: -0.025em; }
h2 { font-size: 24px; font-weight: 640; }
h3 { font-size: 20px; font-weight: 620; }
h4 { margin: 24px 0 4px; font-size: 14px; font-weight: 620; letter-spacing: 0; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover::after, h3 a:hover::after { content: " #"; color: var(--text-soft); font-weight: 400; }
p { margin: 0 0 12px; max-width: 68ch; }
code { font: 0.875em/1.5 var(--mono); overflow-wrap: anywhere; }
p > code, .meaning code { padding: 1px 5px; border-radius: 4px; background: var(--accent-soft); }

.operation { padding: 32px 0; border-top: 1px solid var(--line); }
.title + .operation { border-top: 0; }
.operation > header { margin-bottom: 16px; }
.operation .said > :first-child { margin-top: 0; }
.group-head { padding: 48px 0 24px; border-top: 1px solid var(--line); }
.group-head p { margin: 8px 0 0; color: var(--text-soft); }
.group-head + .operation { border-top: 0; padding-top: 8px; }

.endpoint { display: flex; align-items: baseline; gap: 8px; margin: 8px 0 0; color: var(--text-soft); font-size: 15px; }
.endpoint > code { padding: 0; background: none; overflow-wrap: normal; }
.endpoint i { color: var(--text); font-style: normal; }
.method { flex: none; padding: 1px 6px; border-radius: 6px; border: 1px solid currentColor; font: 600 11px/1.5 var(--mono);
  letter-spacing: 0.02em; }
.method.get { color: var(--accent); }
.method.post { color: var(--good); }
.method.patch { color: var(--warn); }
.method.delete { color: var(--bad); }

.facts { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; font-size: 14px; }
.facts div { display: flex; align-items: baseline; gap: 8px; }
.facts dt { color: var(--text-soft); }
.facts dd { margin: 0; }
.note { padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised);
  font-size: 15px; }
.aside { margin: 8px 0 0; color: var(--text-soft); font-size: 14px; }

.fields { margin: 0; padding: 0; list-style: none; font-size: 15px; }
.fields li { padding: 10px 0; border-top: 1px solid var(--line); }
.fields > li:first-child { border-top: 0; }
.fields p { margin: 0; }
.field-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; }
.field-head .field-name { padding: 0; background: none; font-size: 14px; font-weight: 600; }
.field-type { color: var(--text-soft); font-size: 13px; }
.field-mark { color: var(--warn); font-size: 12px; font-weight: 600; }
.field-text { color: var(--text-soft); line-height: 1.5; }
.field-text:empty { display: none; }
details { margin-top: 8px; border: 1px solid var(--line); border-radius: 8px; }
summary { padding: 6px 12px; border-radius: 8px; color: var(--text-soft); cursor: pointer; font-size: 14px; }
summary:hover { color: var(--text); }
details[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
details > .fields { padding: 0 12px; }

.refusals { margin: 8px 0 0; padding: 0; list-style: none; font-size: 14px; }
.refusals li { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 0 8px; padding: 6px 0; }
.refusals .status { color: var(--text-soft); font-variant-numeric: tabular-nums; }
.refusals > li > code { font-weight: 600; }
.refusals .meaning { grid-column: 2; color: var(--text-soft); }

.shown { display: grid; gap: 16px; align-content: start; margin-top: 24px; min-width: 0; }
.code { margin: 0; min-width: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--surface-code);
  overflow: hidden; }
.code figcaption { padding: 8px 16px; border-bottom: 1px solid var(--line); color: var(--text-soft); font-size: 13px;
  font-weight: 550; }
.code section { overflow: auto; max-height: 520px; scrollbar-width: thin; }
.code section:focus-visible { outline-offset: -2px; }
.code pre { margin: 0; padding: 12px 16px 16px; font-size: 12.5px; tab-size: 2; width: max-content; min-width: 100%; }
.code code { font-size: inherit; line-height: 1.65; overflow-wrap: normal; }
.code .key { color: var(--accent); }
.code .string { color: var(--string); }
.code .literal { color: var(--literal); }

@media (min-width: 1180px) {
  .operation { display: grid; grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 460px);
    column-gap: 48px; }
  .operation > header { grid-column: 1; }
  .said { grid-column: 1; }
  .shown { grid-column: 2; grid-row: 1 / span 2; position: sticky; top: 24px; align-self: start; margin: 0; }
  .shown .code section { max-height: calc(50vh - 80px); }
  .guide .shown .code section { max-height: none; }
}
@media print {
  nav, .bar, .skip { display: none; }
  .code section { max-height: none; }
  .code pre { white-space: pre-wrap; }
}
`

const LAYOUT_STYLES = `
:root {
  color-scheme: light dark;
  ${declarations(PALETTE.light)}
  --surface: oklch(1 0 0);
  --surface-raised: oklch(0.985 0.002 260);
  --surface-code: oklch(0.975 0.004 260);
  --accent: oklch(0.5 0.17 262);
  --accent-soft: oklch(0.955 0.02 262);
  --string: oklch(0.48 0.12 155);
  --literal: oklch(0.52 0.15 30);
  ${FONTS}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${declarations(PALETTE.dark)}
    --surface: oklch(0.185 0.012 260);
    --surface-raised: oklch(0.22 0.014 260);
    --surface-code: oklch(0.225 0.014 260);
    --accent: oklch(0.76 0.12 262);
    --accent-soft: oklch(0.29 0.045 262);
    --string: oklch(0.8 0.1 155);
    --literal: oklch(0.8 0.1 50);
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 72px; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0;
  background: var(--surface);
  color: var(--text);
  font: 16px/1.6 var(--sans);
  font-feature-settings: "cv11", "ss03";
}
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; inset-inline-start: 16px; top: -64px; z-index: 2; padding: 8px 16px; border-radius: 8px;
  background: var(--surface); border: 1px solid var(--line); }
.skip:focus { top: 8px; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.brand { color: var(--text); font-weight: 650; letter-spacing: -0.01em; text-decoration: none; }
.brand span { margin-inline-start: 4px; color: var(--text-soft); font-weight: 450; }
.bar { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between;
  height: 56px; padding: 0 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
.bar-link { padding: 8px 0; font-size: 15px; text-decoration: none; }

/* Below 900 px the contents open by their link in the bar and close when one of theirs is followed: no script. */
nav { display: none; padding: 8px 16px 24px; border-bottom: 1px solid var(--line); background: var(--surface-raised); font-size: 14px;
  scroll-margin-top: 56px; }
nav:target { display: block; }
nav .brand { display: none; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-height: 36px;
  padding: 4px 8px; border-radius: 8px; color: var(--text); line-height: 1.4; text-decoration: none; }
nav li a:hover { background: var(--accent-soft); }
nav .method { padding: 0; border: 0; font-size: 10px; opacity: 0.85; }
.nav-title { margin: 16px 8px 4px; color: var(--text-soft); font-size: 12px; font-weight: 600; }

main { min-width: 0; padding: 24px 16px 96px; }
.title { padding-bottom: 8px; }
.title p { max-width: 62ch; margin: 8px 0 0; color: var(--text-soft); font-size: 18px; line-height: 1.5; }

@media (min-width: 900px) {
  html { scroll-padding-top: 24px; }
  .bar { display: none; }
  .layout { display: grid; grid-template-columns: 272px minmax(0, 1fr); }
  nav { display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 24px 16px 48px; border: 0;
    border-inline-end: 1px solid var(--line); scrollbar-width: thin; scroll-margin-top: 0; }
  nav .brand { display: block; padding: 0 8px 8px; }
  nav li a { min-height: 32px; }
  main { width: 100%; max-width: 1240px; padding: 48px 48px 128px; }
}
`

export const STYLESHEET = LAYOUT_STYLES + CONTENT_STYLES
