// A page of somebody else's that embeds the widget by one script tag.
import type { Context } from 'hono'

/** Nothing runs that isn't a file, nothing turns text into script unseen, and no style is inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html dompurify',
  "base-uri 'none'"
].join('; ')

export const PAGE_STYLES = `
html { color-scheme: light dark; }
body { margin: 0; font-family: system-ui, 'Liberation Sans', sans-serif; }
h1 { margin: 0; padding: 16px; font-size: 20px; line-height: 24px; }
main { display: flex; flex-direction: column; block-size: 100dvh; }
mindgate-chat { flex: 1; block-size: auto; min-block-size: 0; }
.themed mindgate-chat { --mindgate-accent: oklch(0.55 0.15 30); --mindgate-accent-text: white; --mindgate-radius: 24px; }
`

/** Query: `lang`, `dir`, `name`, `theme`, and `texts` as JSON. */
export function embedPage(c: Context): Response {
  const { lang = 'en', dir = 'ltr', name = 'Ada', theme = '', texts = '' } = c.req.query()
  const own = texts === '' ? '' : `<script type="application/json" slot="texts">${texts}</script>`
  const html = `<!doctype html>
<html lang="${lang}" dir="${dir}" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clínica Sol</title>
<link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,">
<script src="/widget.js" defer></script>
</head>
<body><main><h1>Clínica Sol</h1>
<mindgate-chat instance="${c.req.param('instance')}" name="${name}" sign-in="/sign-in">${own}</mindgate-chat>
</main></body>
</html>`
  return c.html(html, 200, { 'Content-Security-Policy': `${POLICY}; img-src data:` })
}
