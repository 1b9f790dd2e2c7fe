// The ground: box, log, composer.
export const FRAME = `
  :host { display: block; block-size: 560px; min-block-size: 240px; font-family: var(--mindgate-font, inherit); }
  :host([hidden]) { display: none; }
  *, ::before, ::after { box-sizing: border-box; }
  p, h2, h3, h4, h5, h6, ol, ul { margin: 0; padding: 0; }
  button { font: inherit; cursor: pointer; }
  :focus-visible { outline: 2px solid var(--accent-line); outline-offset: 2px; }
  .sr { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap; }
  .icon { flex: none; inline-size: 16px; block-size: 16px; fill: none; stroke: currentColor; stroke-width: 1.5;
    stroke-linecap: round; stroke-linejoin: round; }

  .chat { container-type: inline-size; position: relative; display: flex; flex-direction: column; block-size: 100%;
    overflow: hidden; border: var(--mindgate-border, 1px solid var(--line)); border-radius: var(--mindgate-radius, 8px);
    padding-block-end: var(--hidden-by-keyboard, 0px); background: var(--surface-raised); color: var(--text);
    font-size: 16px; line-height: 24px; overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
  .bar { display: flex; flex-wrap: wrap; justify-content: space-between; padding: 4px max(8px, 50% - 368px);
    border-block-end: 1px solid var(--line); }
  .former { flex: 1; min-block-size: 0; overflow-y: auto; padding: 8px; scrollbar-width: thin; }
  .former > p { padding: 24px 16px; color: var(--text-soft); font-size: 14px; line-height: 20px; text-align: center;
    text-wrap: balance; }
  .former ul { max-inline-size: 752px; margin-inline: auto; list-style: none; }
  .former button { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; inline-size: 100%;
    min-block-size: 44px; padding: 10px 16px; border: 0; border-radius: 8px; background: none; color: inherit;
    text-align: start; }
  .former button:hover { background: var(--surface-sunken); }
  .former span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .back { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 8px 16px; font-size: 14px;
    line-height: 20px; color: var(--text-soft); }
  .log[hidden] { display: none; }
  .log { flex: 1; min-block-size: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent; }
  .log:focus-visible { outline-offset: -2px; }
  .thread { display: flex; flex-direction: column; justify-content: flex-end; gap: 24px; min-block-size: 100%;
    max-inline-size: 768px; margin-inline: auto; padding: 24px; }

  .below { position: relative; border-block-start: 1px solid var(--line); }
  .composer { max-inline-size: 768px; margin-inline: auto; padding-block: 12px max(12px, env(safe-area-inset-bottom));
    padding-inline: max(24px, env(safe-area-inset-left)) max(24px, env(safe-area-inset-right)); }
  .box { display: flex; align-items: flex-end; gap: 8px; padding: 5px; border: 1px solid var(--line-strong);
    border-radius: 8px; background: var(--surface-raised); }
  :host([data-dropping]:not([no-files])) .box { border-color: var(--accent-line); background: var(--accent-soft); }
  .composer > .files { margin-block-end: 8px; }
  .files-problem { margin-block-end: 8px; color: var(--bad); font-size: 14px; line-height: 20px; }
  .attach { display: grid; place-items: center; flex: none; inline-size: 36px; block-size: 36px; border-radius: 8px;
    color: var(--text-soft); cursor: pointer; }
  .attach:hover { background: var(--surface-sunken); color: var(--text); }
  .attach:focus-within { outline: 2px solid var(--accent-line); }
  .attach .icon { inline-size: 20px; block-size: 20px; }
  .box:hover { border-color: var(--text-soft); }
  .box:focus-within { border-color: var(--accent-line); outline: 2px solid var(--accent-line); outline-offset: -1px; }
  textarea { flex: 1; min-inline-size: 0; min-block-size: 36px; max-block-size: min(40cqi, 192px); margin: 0; padding: 6px 8px;
    border: 0; background: none; color: inherit; font: inherit; resize: none; field-sizing: content;
    scrollbar-width: thin; unicode-bidi: plaintext; }
  @container (max-width: 479px) { textarea { max-block-size: 144px; } }
  textarea:focus { outline: none; }
  textarea::placeholder { color: var(--text-soft); opacity: 1; }
  .send { display: grid; place-items: center; flex: none; inline-size: 36px; block-size: 36px; padding: 0;
    border: 1px solid var(--accent-line); border-radius: 8px; background: var(--accent); color: var(--accent-text); }
  .send:hover { background: var(--accent-hover); }
  .send[aria-disabled='true'] { border-color: var(--line); background: var(--surface-sunken); color: var(--text-soft);
    cursor: default; }
  .send .icon { inline-size: 20px; block-size: 20px; }
  .hint { display: flex; justify-content: space-between; gap: 16px; margin-block-start: 4px; color: var(--text-soft);
    font-size: 13px; line-height: 20px; }
  .hint .over { color: var(--bad); font-weight: 500; }

  .jump { position: absolute; z-index: 1; inset-block-end: calc(100% + 12px); inset-inline: 0; display: grid;
    place-items: center; pointer-events: none; }
  .jump button { display: inline-flex; align-items: center; gap: 8px; min-block-size: 36px; padding: 7px 16px;
    border: 1px solid var(--line); border-radius: 8px; background: var(--surface-raised); color: var(--text);
    font: 550 14px/20px inherit; font-family: inherit; box-shadow: 0 8px 24px oklch(0 0 0 / 0.16); pointer-events: auto; }
  .jump button:hover { background: var(--surface-sunken); }

  @container (max-width: 399px) { .bar .icon { display: none; } }
  @container (max-width: 599px) {
    .thread { padding: 16px; }
    .composer { padding-inline: max(12px, env(safe-area-inset-left)) max(12px, env(safe-area-inset-right)); }
    .keys { display: none; }
    .hint:not(:has(:not(.keys))) { display: none; }
  }
  @media (pointer: coarse) {
    .send, .attach { inline-size: 44px; block-size: 44px; }
    textarea { min-block-size: 44px; padding-block: 10px; }
    .hint:not(:has(*)) { display: none; }
  }
  @media (forced-colors: active) { .send, .bubble, .notice { border: 1px solid; } }
`
