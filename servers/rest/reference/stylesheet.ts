// The reference page’s stylesheet; served by us: what every page has, and what only a reference needs.
import { lazily } from '../../../src/once.ts'
import { BASE_STYLES, FORM_STYLES } from '../../portal/assets/base-styles.ts'
import { versionOf } from '../../portal/assets/packed.ts'
import { usualColours } from '../../portal/assets/stylesheet.ts'

const REFERENCE_STYLES = `
html { scroll-behavior: smooth; scroll-padding-block-start: 72px; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
h1 { font-size: 32px; line-height: 40px; }
h2 { font-size: 24px; line-height: 32px; }
h3 { font-size: 20px; line-height: 28px; }
h4 { margin: 8px 0 0; font-size: 14px; line-height: 20px; font-weight: 620; }
:is(h2, h3) a { color: inherit; text-decoration: none; }
:is(h2, h3) a:hover::after { content: " #"; color: var(--text-soft); font-weight: 400; }
:is(p > code, .meaning code) { padding: 1px 5px; border-radius: 4px; background: var(--accent-soft); }

.brand span { color: var(--text-soft); font-weight: 450; }
.menu-button { text-decoration: none; }
.side > ul { flex: none; }
.side li a { justify-content: space-between; }
.side .method { padding: 0; border: 0; font-size: 10px; }
main { max-inline-size: 1480px; }
.title p { max-inline-size: 62ch; margin-block-start: 8px; color: var(--text-soft); font-size: 17px; line-height: 28px; }

.operation { padding-block: 32px; border-block-start: 1px solid var(--line); }
.title + .operation { border: 0; }
.operation > header { margin-block-end: 16px; }
.group-head { padding-block: 48px 24px; border-block-start: 1px solid var(--line); }
.group-head p { margin-block-start: 8px; color: var(--text-soft); }
.group-head + .operation { padding-block-start: 8px; border: 0; }

.endpoint { display: flex; align-items: baseline; gap: 8px; margin-block-start: 8px; color: var(--text-soft); }
.endpoint > code { padding: 0; background: none; overflow-wrap: normal; }
.endpoint i { color: var(--text); font-style: normal; }
.method { flex: none; padding: 1px 6px; border: 1px solid currentColor; border-radius: 6px;
  font: 600 11px/16px var(--mono); letter-spacing: 0.02em; }
.method.get { color: var(--accent-ink); }
.method.post { color: var(--good); }
.method.patch { color: var(--warn); }
.method.delete { color: var(--bad); }

.facts { display: flex; flex-wrap: wrap; gap: 4px 24px; font-size: 14px; }
.facts div { display: flex; align-items: baseline; gap: 8px; }
.facts dt { color: var(--text-soft); }
.note { padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.aside { color: var(--text-soft); font-size: 14px; }

.fields li { padding-block: 10px; border-block-start: 1px solid var(--line); }
.fields > li:first-child { border: 0; }
.stack > .fields > li:first-child { padding-block-start: 0; }
.field-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; }
.field-head .field-name { padding: 0; background: none; font-size: 14px; font-weight: 600; }
.field-type { color: var(--text-soft); font-size: 13px; }
.field-mark { color: var(--warn); font-size: 12px; font-weight: 600; }
.field-text { color: var(--text-soft); }
.field-text:empty { display: none; }
.title .search { margin-block: 24px; }
.try > :not(summary) { margin: 12px; }
.try pre { max-block-size: 400px; font-size: 13px; line-height: 20px; }
@media (scripting: none) { .try { display: none; } }
details { margin-block-start: 8px; border: 1px solid var(--line); border-radius: 8px; }
summary { padding: 6px 12px; border-radius: 8px; color: var(--text-soft); cursor: pointer; font-size: 14px; }
summary:hover { color: var(--text); }
details[open] > summary { border-block-end: 1px solid var(--line); border-radius: 8px 8px 0 0; }
details > .fields { padding-inline: 12px; }

.refusals { font-size: 14px; }
.refusals li { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 0 8px; padding-block: 6px; }
.refusals .status { color: var(--text-soft); font-variant-numeric: tabular-nums; }
.refusals > li > code { font-weight: 600; }
.refusals .meaning { grid-column: 2; color: var(--text-soft); }

.shown { align-content: start; margin-block-start: 24px; min-inline-size: 0; }
.snippet section { overflow: auto; max-block-size: 520px; }
.snippet .key { color: var(--accent-ink); }
.snippet .string { color: var(--good); }
.snippet .literal { color: var(--warn); }

/* Below 900 px the contents open by their link in the bar and close when one of theirs is followed: no script. */
@media (max-width: 899px) {
  .side { scroll-margin-block-start: 56px; border-block-end: 1px solid var(--line); }
  .side:not(:target) { display: none; }
}
@media (min-width: 900px) {
  html { scroll-padding-block-start: 24px; }
  .side { inline-size: 272px; overflow-y: auto; }
  main { margin-inline-start: 272px; padding: 48px 48px 128px; }
}
@media (min-width: 1180px) {
  .operation { display: grid; grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 460px); column-gap: 48px; }
  .operation > :is(header, .said) { grid-column: 1; }
  .said { align-content: start; }
  .shown { grid-column: 2; grid-row: 1 / span 2; position: sticky; inset-block-start: 24px; align-self: start; margin: 0; }
  .shown .snippet section { max-block-size: calc(50vh - 80px); }
  .guide .shown .snippet section { max-block-size: none; }
}
@media print {
  .side, .bar, .skip { display: none; }
  main { margin: 0; }
  .snippet section { max-block-size: none; }
  .snippet pre { white-space: pre-wrap; }
}
`

/** Under a name that changes with it. */
export const stylesheet = lazily(() => {
  const text = usualColours() + BASE_STYLES + FORM_STYLES + REFERENCE_STYLES
  return { text, name: `style-${versionOf(text)}.css` }
})
