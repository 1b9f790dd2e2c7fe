// What a page or a mail says that isn't in its reader's language.

/** Names, codes and what keeps its name everywhere. */
const KEPT = new Set(
  `AI API CSV HTML HTTP HTTPS JSON MCP SSH UTC Claude Code ChatGPT Cursor VS curl Inspector Node js JavaScript MB
  Bearer Auth Client Tool Shift Enter Acme Test Partner mcp add scope user Name Europe Madrid USD Chrome macOS Grace`.split(
    /\s+/
  )
)

/** English words on a page, in what is read and what is said aloud; not in what people wrote, nor in code. */
export function englishIn(html: string): string[] {
  const shown = html
    .replaceAll(/<(style|script|code|pre|bdi|q|svg|title|textarea)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/^[\s\S]*?<body/, '<body')
  const spoken = [...shown.matchAll(/(?:aria-label|title|placeholder|alt|label)="([^"]*)"/g)].map(
    ([, said]) => said
  )
  const text = [shown.replaceAll(/<[^>]*>/g, ' '), ...spoken].join(' ')
  return [
    ...new Set(
      text.replaceAll(/\S+@\S+|https?:\S+|\S*\/\S*|&\w+;|\S*_\S*/g, ' ').match(/[A-Za-z]{2,}/g) ?? []
    )
  ].filter((word) => !KEPT.has(word))
}
