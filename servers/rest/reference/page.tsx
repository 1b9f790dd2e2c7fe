// The reference page: one document, no script.
import type { FC } from 'hono/jsx'
import type { RestDocumentation } from '../openapi.ts'
import { REST_PREFIX } from '../routes.ts'
import { type Guide, GuideSection, guidesOf } from './guides.tsx'
import { anchorOf, MethodBadge, OperationSection } from './operation-section.tsx'

export const ReferencePage: FC<{
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
        <div class="bar">
          <Brand />
          <a class="bar-link" href="#contents">
            Contents
          </a>
        </div>
        <div class="layout">
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
        </div>
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
  <nav id="contents" aria-label="Contents">
    <Brand />
    <p class="nav-title">Guide</p>
    <ul>
      {guides.map(({ anchor, title }) => (
        <li>
          <a href={`#${anchor}`}>{title}</a>
        </li>
      ))}
    </ul>
    {documentation.groups.map(({ group, members }) => (
      <>
        <p class="nav-title">{group.title}</p>
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
