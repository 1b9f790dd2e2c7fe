// What floats: dialogs and messages.
export const OVERLAY_STYLES = `
.dialog { inline-size: min(480px, calc(100vw - 32px)); max-block-size: calc(100dvh - 32px); padding: 24px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); color: var(--text);
  box-shadow: var(--shadow); font: 15px/24px var(--sans); text-align: start; white-space: normal;
  overflow-wrap: anywhere; }
.dialog::backdrop { background: oklch(0 0 0 / 0.4); }
.dialog h2 { font-size: 18px; }
.dialog-text { display: grid; gap: 8px; margin-block-start: 8px; color: var(--text-soft); font-size: 15px; font-weight: 400; }
.dialog-fields { display: grid; gap: 16px; margin-block-start: 16px; }
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
.toast.good > .icon { color: var(--good); }
.toast.warn > .icon { color: var(--warn); }
.toast.bad > .icon { color: var(--bad); }
.toast.bad { border-color: var(--bad); }
.toast-close { display: grid; place-items: center; flex: none; inline-size: 28px; block-size: 28px; margin: -4px 0;
  padding: 0; border: 0; border-radius: 8px; background: none; color: var(--text-soft); cursor: pointer; }
.toast-close:hover { background: var(--surface-sunken); color: var(--text); }
.toast-close .icon { inline-size: 16px; block-size: 16px; }
@media (min-width: 900px) { .toast { inset-block-end: 24px; inset-inline-end: 24px; } }
@media (scripting: none) {
  .toast { position: static; inline-size: auto; margin-block-end: 24px; box-shadow: none; }
  .toast-close { display: none; }
}
.door .toast { position: static; inline-size: auto; margin-block-end: 16px; box-shadow: none; }
`
