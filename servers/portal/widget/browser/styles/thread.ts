// What stands in the log: days, messages, replies, what went wrong.
export const THREAD = `
  .day { display: flex; align-items: center; gap: 16px; color: var(--text-soft); font-size: 13px; line-height: 20px;
    font-weight: 500; }
  .day::before, .day::after { content: ''; flex: 1; block-size: 1px; background: var(--line); }
  .earlier { align-self: center; }
  .exchange { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }

  .message { justify-self: end; display: grid; grid-template-columns: minmax(0, 1fr); justify-items: end; gap: 4px; max-inline-size: min(85%, 576px); }
  .bubble { max-inline-size: 100%; padding: 8px 16px; border-radius: 8px; background: var(--accent-soft);
    color: var(--text); white-space: pre-wrap; unicode-bidi: plaintext; text-align: start; }
  time { color: var(--text-soft); font-size: 13px; line-height: 20px; font-variant-numeric: tabular-nums;
    white-space: nowrap; }

  .reply { display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 4px 12px; }
  .monogram { grid-row: span 2; display: grid; place-items: center; inline-size: 28px; block-size: 28px;
    border-radius: 8px; background: var(--surface-sunken); color: var(--text-soft); font-size: 14px; font-weight: 650; }
  .by { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; min-block-size: 28px; padding-block-start: 2px; }
  .by b { font-size: 14px; font-weight: 600; }
  .said { grid-column: 2; min-inline-size: 0; }
  .tools { grid-column: 2; color: var(--text-soft); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
  .reply > .files { grid-column: 2; margin-block: 4px; }
  .after { grid-column: 2; display: flex; gap: 8px; margin-inline-start: -8px; }
  @container (max-width: 479px) {
    .reply { grid-template-columns: minmax(0, 1fr); }
    .reply > .monogram { display: none; }
    .said, .tools, .after, .reply > .files { grid-column: 1; }
  }

  .files { display: flex; flex-wrap: wrap; gap: 8px; max-inline-size: 100%; list-style: none; }
  .files li { min-inline-size: 0; max-inline-size: 100%; }
  .message .files { justify-content: flex-end; }
  .file { position: relative; display: flex; align-items: center; gap: 8px; min-block-size: 36px; overflow: hidden;
    padding: 7px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised);
    color: var(--text); font-size: 14px; line-height: 20px; text-decoration: none; }
  a.file:hover { background: var(--surface-sunken); }
  .file .icon { color: var(--text-soft); }
  .file-name { min-inline-size: 0; max-inline-size: 32ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-weight: 550; }
  .file-size { flex: none; color: var(--text-soft); font-size: 13px; font-variant-numeric: tabular-nums; }
  .file.bad { border-color: var(--bad); }
  .file.bad .file-name { min-inline-size: 7ch; }
  .file.bad .file-size { flex: 0 1 auto; }
  .file.bad :is(.file-size, .icon:first-child) { color: var(--bad); }
  .file button { display: grid; place-items: center; inline-size: 28px; block-size: 28px; margin: -4px -8px -4px 0;
    padding: 0; border: 0; border-radius: 8px; background: none; color: inherit; }
  .file button:hover { background: var(--surface-sunken); }
  .file progress { position: absolute; inset: auto 0 0; inline-size: 100%; block-size: 3px; border: 0;
    background: var(--surface-sunken); appearance: none; }
  .file progress::-webkit-progress-bar { background: var(--surface-sunken); }
  .file progress::-webkit-progress-value { background: var(--accent); }
  .file progress::-moz-progress-bar { background: var(--accent); }

  .text-button { display: inline-flex; align-items: center; gap: 6px; min-block-size: 28px; padding: 3px 8px; border: 0;
    border-radius: 8px; background: none; color: var(--text-soft); font-size: 13px; line-height: 20px; font-weight: 550; }
  .text-button:hover { background: var(--surface-sunken); color: var(--text); }
  .button { display: inline-flex; align-items: center; justify-content: center; min-block-size: 32px; padding: 5px 12px;
    border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); color: var(--text);
    font-size: 14px; line-height: 20px; font-weight: 550; text-decoration: none; }
  .button:hover { background: var(--surface-sunken); }
  .button[aria-disabled='true'] { color: var(--text-soft); cursor: default; }
  @media (pointer: coarse) { .button, .text-button, .file { min-block-size: 44px; } .file button { inline-size: 44px; block-size: 44px; } }

  .working { grid-column: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; color: var(--text-soft);
    font-size: 14px; line-height: 20px; }
  @container (max-width: 479px) { .working { grid-column: 1; } }
  .working .spell { font-variant-numeric: tabular-nums; }
  .dots { display: inline-flex; gap: 4px; padding: 8px 0; }
  .dots i { inline-size: 6px; block-size: 6px; border-radius: 50%; background: currentColor; }
  @media (prefers-reduced-motion: no-preference) {
    .dots i { animation: breathe 1.2s ease-in-out infinite; }
    .dots i:nth-child(2) { animation-delay: 0.15s; }
    .dots i:nth-child(3) { animation-delay: 0.3s; }
  }
  @keyframes breathe { 0%, 60%, 100% { opacity: 0.3; } 30% { opacity: 1; } }

  .notice { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 4px 8px; padding: 12px; border-radius: 8px;
    font-size: 14px; line-height: 20px; }
  .notice .icon { margin-block-start: 2px; }
  .notice b { font-weight: 600; }
  .notice > p, .notice > div { grid-column: 2; max-inline-size: 70ch; text-wrap: pretty; }
  .notice .offers { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 4px; }
  .notice.bad { background: var(--bad-soft); }
  .notice.bad :is(.icon, b) { color: var(--bad); }
  .notice.warn { background: var(--warn-soft); }
  .notice.warn :is(.icon, b) { color: var(--warn); }
  .notice.quiet { padding: 0; color: var(--text-soft); }
  .exchange > .notice { justify-self: end; inline-size: min(85%, 576px); }
  @container (max-width: 599px) { .exchange > .notice:not(.quiet) { inline-size: 100%; } .message { max-inline-size: 90%; } }
  .exchange > .notice.quiet { inline-size: auto; }
  .composer > .notice { margin-block-end: 12px; }

  .empty { display: grid; justify-items: center; gap: 4px; margin-block: auto; padding: 32px 0; text-align: center; }
  .empty .monogram { inline-size: 48px; block-size: 48px; margin-block-end: 12px; background: var(--accent);
    color: var(--accent-text); font-size: 20px; }
  .empty b { font-weight: 600; }
  .empty p { max-inline-size: 44ch; color: var(--text-soft); font-size: 14px; line-height: 20px; text-wrap: balance; }

  .skeleton { display: grid; gap: 24px; animation: appear 0s 0.3s both; }
  .skeleton i { block-size: 40px; border-radius: 8px; background: var(--surface-sunken); }
  .skeleton i:nth-child(odd) { justify-self: end; inline-size: 40%; }
  .skeleton i:nth-child(even) { block-size: 88px; inline-size: 75%; }
  @keyframes appear { from { visibility: hidden; } to { visibility: visible; } }
`
