// The chat's page: the window's height is the conversation's, and the widget has the portal's colours.
export const CHAT_STYLES = `
mindgate-chat { flex: 1; --mindgate-accent: var(--accent); --mindgate-accent-text: var(--accent-text);
  --mindgate-accent-hover: var(--accent-hover); --mindgate-accent-ink: var(--accent-ink);
  --mindgate-accent-line: var(--accent-line); --mindgate-accent-soft: var(--accent-soft); }
.signed-in main:has(mindgate-chat) { display: flex; flex-direction: column; block-size: calc(100dvh - 56px);
  min-block-size: 400px; padding: 16px 0 0;
  > * { inline-size: 100%; }
  .page-head { margin-block-end: 16px; }
  .page-head, .tabs, noscript { padding-inline: 16px; }
  .content { flex: 1; display: flex; flex-direction: column; gap: 0; min-block-size: 0; }
  mindgate-chat { --mindgate-border: 0; --mindgate-radius: 0; min-block-size: 0; border-block-start: 1px solid var(--line); }
  .tabs + mindgate-chat { border: 0; }
}
@media (scripting: none) { mindgate-chat { display: none; } }
@media (min-width: 900px) {
  .signed-in main:has(mindgate-chat) { block-size: 100dvh; padding: 40px 48px 32px;
    .page-head, .tabs, noscript { padding-inline: 0; }
    .content { gap: 16px; }
    mindgate-chat { --mindgate-border: 1px solid var(--line); --mindgate-radius: 8px; border: 0; }
  }
}
`
