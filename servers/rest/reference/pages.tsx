// Serves the reference: rendered once, the same for everyone.
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { RequestEnv } from '../../middleware/request-env.ts'
import type { RestDocumentation } from '../openapi.ts'
import { REST_PREFIX } from '../routes.ts'
import { ReferencePage } from './page.tsx'
import { STYLESHEET } from './stylesheet.ts'

/** What the samples say where no public address is configured. */
const LOCAL_URL = 'http://localhost:8080'

/** No script, nothing from elsewhere, no frame around it. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function referencePages(documentation: RestDocumentation, publicUrl: string | undefined) {
  const version = createHash('sha256').update(STYLESHEET).digest('hex').slice(0, 12)
  const stylesheet = `/style-${version}.css`
  const page = (
    <ReferencePage
      documentation={documentation}
      baseUrl={publicUrl ?? LOCAL_URL}
      stylesheetUrl={`${REST_PREFIX}/reference${stylesheet}`}
    />
  )
  // Only when it is first asked for: rendering makes Node 20 and 22 follow every promise from then on, and a process
  // that serves no pages needn't pay for that.
  let rendered: string | undefined
  const html = () => {
    rendered ??= `<!doctype html>${page.toString()}`
    return rendered
  }
  const pages = new Hono<RequestEnv>()
  pages.get('/', (c) =>
    c.html(html(), 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'public, max-age=300'
    })
  )
  pages.get(stylesheet, (c) =>
    c.body(STYLESHEET, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable'
    })
  )
  return pages
}
