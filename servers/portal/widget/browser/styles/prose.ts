// A reply's Markdown.
export const PROSE = `
  .prose { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; max-inline-size: 72ch; }
  .prose :is(p, li, h2, h3, h4, h5, h6, blockquote, th, td) { unicode-bidi: plaintext; text-align: start; }
  .prose .plain { white-space: pre-wrap; }
  .prose h2 { font-size: 18px; line-height: 28px; font-weight: 620; letter-spacing: -0.01em; }
  .prose :is(h3, h4, h5, h6) { font-size: 16px; line-height: 24px; font-weight: 620; }
  .prose strong { font-weight: 620; }
  .prose :is(ul, ol) { padding-inline-start: 24px; }
  .prose li + li { margin-block-start: 4px; }
  .prose li > :is(ul, ol), .prose li > p + * { margin-block-start: 4px; }
  .prose blockquote > * + * { margin-block-start: 8px; }
  .prose blockquote { margin: 0; padding-inline-start: 16px;
    border-inline-start: 2px solid var(--line-strong); color: var(--text-soft); }
  .prose hr { inline-size: 100%; block-size: 1px; margin: 4px 0; border: 0; background: var(--line); }
  .prose a { color: var(--accent-ink); text-decoration-thickness: 1px; text-underline-offset: 3px; }
  .prose code { padding: 1px 4px; border-radius: 4px; background: var(--surface-sunken);
    font: 0.875em/1.5 var(--mindgate-mono, ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono',
      'DejaVu Sans Mono', monospace); }
  .scroller { overflow-x: auto; scrollbar-width: thin; }
  .scroller:focus-visible { outline-offset: -2px; border-radius: 8px; }
  .prose .code { overflow: hidden; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
  .prose .code-head { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding-block: 4px;
    padding-inline: 16px 4px; border-block-end: 1px solid var(--line); color: var(--text-soft); font-size: 13px;
    line-height: 20px; font-weight: 550; }
  .prose pre { inline-size: max-content; min-inline-size: 100%; margin: 0; padding: 12px 16px; }
  .prose pre code { padding: 0; background: none; font-size: 13px; line-height: 20px; overflow-wrap: normal; }
  .prose .table { border: 1px solid var(--line); border-radius: 8px; }
  .prose table { inline-size: max-content; min-inline-size: 100%; border-collapse: collapse; font-size: 14px;
    line-height: 20px; font-variant-numeric: tabular-nums; }
  .prose :is(th, td) { max-inline-size: 40ch; padding: 8px 12px; vertical-align: top; }
  .prose [align='right'] { text-align: end; }
  .prose [align='center'] { text-align: center; }
  .prose th { background: var(--surface); color: var(--text-soft); font-weight: 550; }
  .prose tbody tr { border-block-start: 1px solid var(--line); }
`
