// The reference: one document without a script, rendered once, the same for everyone.
import { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { lazily } from '../../../src/once.ts'
import type { RequestEnv } from '../../middleware/request-env.ts'
import type { RestDocumentation } from '../openapi.ts'
import { REST_PREFIX } from '../routes.ts'
import { type Guide, GuideSection, guidesOf } from './guides.tsx'
import { anchorOf, MethodBadge, OperationSection } from './operation-section.tsx'
import { stylesheet } from './stylesheet.ts'

/** What the samples say where no public address is configured. */
const LOCAL_URL = 'http://localhost:8080'

/** No script, nothing from elsewhere, no frame around it. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function referencePages(documentation: () => RestDocumentation, publicUrl: string | undefined) {
  // Only when it is first asked for: rendering makes Node 20 and 22 follow every promise from then on, and a process
  // that serves no pages needn't pay for that.
  const html = lazily(() => {
    const page = (
      <ReferencePage
        documentation={documentation()}
        baseUrl={publicUrl ?? LOCAL_URL}
        stylesheetUrl={`${REST_PREFIX}/reference/${stylesheet().name}`}
      />
    )
    return `<!doctype html>${page.toString()}`
  })
  const pages = new Hono<RequestEnv>()
  pages.get('/', (c) =>
    c.html(html(), 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'public, max-age=300'
    })
  )
  pages.get('/:file', (c, next) => {
    const { name, text } = stylesheet()
    if (c.req.param('file') !== name) return next()
    return c.body(text, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable'
    })
  })
  return pages
}

const ReferencePage: FC<{
  documentation: RestDocumentation
  baseUrl: string
  stylesheetUrl: string
}> = ({ documentation, baseUrl, stylesheetUrl }) => {
  const guides = guidesOf(documentation.routes, baseUrl)
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Mindgate partner API</title>
        <meta
          name="description"
          content="Reference of the Mindgate partner API: every operation over REST and MCP."
        />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheetUrl} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="bar">
          <Brand />
          <a class="menu-button" href="#contents">
            Contents
          </a>
        </header>
        <Contents guides={guides} documentation={documentation} />
        <main id="content">
          <header class="title">
            <h1>Partner API</h1>
            <p>
              Manage your customers, their portal access, their teams and their voice agents, from your own
              code or from an agent.
            </p>
          </header>
          {guides.map((guide) => (
            <GuideSection guide={guide} />
          ))}
          {documentation.groups.map(({ group, members }) => (
            <section class="group" aria-labelledby={groupAnchor(group.title)}>
              <header class="group-head">
                <h2 id={groupAnchor(group.title)}>
                  <a href={`#${groupAnchor(group.title)}`}>{group.title}</a>
                </h2>
                <p>{group.intro}</p>
              </header>
              {members.map((route) => (
                <OperationSection route={route} components={documentation.components} />
              ))}
            </section>
          ))}
        </main>
      </body>
    </html>
  )
}

const groupAnchor = (title: string): string => `group-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

const Brand: FC = () => (
  <a class="brand" href={`${REST_PREFIX}/reference`}>
    Mindgate <span>API v1</span>
  </a>
)

const Contents: FC<{ guides: readonly Guide[]; documentation: RestDocumentation }> = ({
  guides,
  documentation
}) => (
  <nav class="side" id="contents" aria-label="Contents">
    <div class="side-brand">
      <Brand />
    </div>
    <p class="side-group">Guide</p>
    <ul>
      {guides.map(({ anchor, title }) => (
        <li>
          <a href={`#${anchor}`}>{title}</a>
        </li>
      ))}
    </ul>
    {documentation.groups.map(({ group, members }) => (
      <>
        <p class="side-group">{group.title}</p>
        <ul>
          {members.map((route) => (
            <li>
              <a href={`#${anchorOf(route)}`}>
                <span>{route.operation.title}</span>
                <MethodBadge method={route.method} />
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
)
