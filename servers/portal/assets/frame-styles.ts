// What stands around a page: the side, the bar, the page's head, and the card of the doors.
export const FRAME_STYLES = `
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
.menu-button { display: inline-flex; align-items: center; gap: 8px; block-size: 40px; padding: 0 12px;
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
.side-who p { padding: 4px 8px; }
.side-who :is(b, span) { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
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

.door main { display: flex; flex-direction: column; align-items: stretch; inline-size: 100%; max-inline-size: 432px;
  min-block-size: 100dvh; margin-inline: auto; padding: 48px 16px; }
.door-brand { display: flex; justify-content: center; margin-block-end: 24px; font-size: 18px; }
.door-brand .brand { max-inline-size: 100%; }
.door-brand .logo { block-size: 40px; max-inline-size: 240px; }
.door-card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; padding: 24px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); }
.door-card h1 { font-size: 20px; line-height: 28px; }
.door-intro { margin-block-start: -12px; color: var(--text-soft); }
.door-card .form { max-inline-size: none; }
.door-card .form-actions { display: grid; }
.door-card > p { font-size: 14px; }
.door-foot { display: grid; gap: 8px; margin-block-start: 24px; color: var(--text-soft); font-size: 14px;
  text-align: center; }
.door-foot p { margin-inline: auto; }
@media (min-width: 600px) {
  .door main { padding-block: 12vh 48px; }
  .door-card { padding: 32px; }
}
`
