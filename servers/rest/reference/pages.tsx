// The reference: one document for everyone, rendered once, that a small script lets try.
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { raw } from 'hono/html'
import type { FC } from 'hono/jsx'
import type { Config } from '../../../src/config.ts'
import { lazily } from '../../../src/once.ts'
import type { RequestEnv } from '../../middleware/request-env.ts'
import { originOf } from '../../portal/addresses.ts'
import { versionOf } from '../../portal/assets/packed.ts'
import { SearchBar } from '../../portal/ui/search.tsx'
import type { RestDocumentation } from '../openapi.ts'
import { REST_PREFIX } from '../routes.ts'
import { type Guide, GuideSection, guidesOf } from './guides.tsx'
import { anchorOf, MethodBadge, OperationSection } from './operation-section.tsx'
import { ASKED_URL } from './parts.tsx'
import { stylesheet } from './stylesheet.ts'

/** Nothing from elsewhere, no frame around it, and our own script alone. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const script = lazily(() => {
  const text = readFileSync(new URL('./try.js', import.meta.url), 'utf8')
  return { text, name: `try-${versionOf(text)}.js` }
})

export function referencePages(
  documentation: () => RestDocumentation,
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>
) {
  // Only when it is first asked for: rendering makes Node 20 and 22 follow every promise from then on, and a process
  // that serves no pages needn't pay for that.
  const sections = lazily(() => {
    const { routes, components } = documentation()
    const rendered = (route: Route) => (<OperationSection route={route} components={components} />).toString()
    return new Map(routes.map((route) => [route.operation.name, String(rendered(route))]))
  })
  const whole = lazily(() => pageFound(documentation(), sections(), ''))
  const pages = new Hono<RequestEnv>()
  pages.get('/', (c) => {
    const search = (c.req.query('search') ?? '').trim().slice(0, 100)
    const html = search === '' ? whole() : pageFound(documentation(), sections(), search)
    return c.html(html.replaceAll(ASKED_URL, originOf(c, config, undefined)), 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'public, max-age=300'
    })
  })
  pages.get('/:file', (c, next) => {
    const asset = [stylesheet(), script()].find(({ name }) => name === c.req.param('file'))
    if (!asset) return next()
    return c.body(asset.text, 200, {
      'Content-Type': `text/${asset === script() ? 'javascript' : 'css'}; charset=utf-8`,
      'Cache-Control': 'public, max-age=31536000, immutable'
    })
  })
  return pages
}

type Route = RestDocumentation['routes'][number]

/** The page with the operations that have every word of the search in what they are called or said to do. */
function pageFound(documentation: RestDocumentation, sections: Map<string, string>, search: string): string {
  const words = search.toLowerCase().split(/\s+/)
  const groups = documentation.groups
    .map(({ group, members }) => ({
      group,
      members: members.filter(({ operation: { name, title, summary }, method, path }) => {
        const text = [group.title, name, title, summary, method, path].join(' ').toLowerCase()
        return words.every((word) => text.includes(word))
      })
    }))
    .filter(({ members }) => members.length > 0)
  return `<!doctype html>${(<ReferencePage documentation={{ ...documentation, groups }} {...{ sections, search }} />).toString()}`
}

const ReferencePage: FC<{
  documentation: RestDocumentation
  sections: Map<string, string>
  search: string
}> = ({ documentation, sections, search }) => {
  const guides = search === '' ? guidesOf(documentation.routes) : []
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
        <link rel="stylesheet" href={`${REFERENCE}/${stylesheet().name}`} />
        <script type="module" src={`${REFERENCE}/${script().name}`} />
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
            <SearchBar name="search" value={search} placeholder="Search the operations" action={REFERENCE} />
            {documentation.groups.length === 0 ? <p>No operation has all of these words.</p> : null}
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
              {members.map((route) => raw(sections.get(route.operation.name) ?? ''))}
            </section>
          ))}
        </main>
      </body>
    </html>
  )
}

const REFERENCE = `${REST_PREFIX}/reference`

const groupAnchor = (title: string): string => `group-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

const Brand: FC = () => (
  <a class="brand" href={REFERENCE}>
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
    {guides.length > 0 ? <p class="side-group">Guide</p> : null}
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
