// Chat with the agent on one's server. What is said goes through the chat route; the page only holds the widget.
import { APPS } from '../../../src/catalog/apps.ts'
import { say } from '../../../src/language/say.ts'
import { page } from '../answer.tsx'
import { PortalPage } from '../frames.tsx'
import type { PageContext } from '../page-kit.tsx'
import { LinkButton } from '../ui/form.tsx'
import { EmptyState, Tabs } from '../ui/layout.tsx'
import { widgetPath } from '../widget/routes.ts'

export const chatPages = { '/chat': showChat, '/chat/:instanceId': showChat }

/** The widget on a page of the portal, as high as the window: with the agent of the address, or with the first. */
async function showChat({ c }: PageContext): Promise<Response> {
  const { base } = c.get('portal')
  const { agents } = c.get('visitor')
  const asked = c.req.param('instanceId')
  const agent = asked === undefined ? agents[0] : agents.find(({ instanceId }) => instanceId === asked)
  if (!agent) return showNoAgent(c)
  const { instanceId: shown, app, name } = agent
  const items = agents.map(({ instanceId, name: called, server }) => ({
    href: `${base}/chat/${instanceId}`,
    label: agents.filter((one) => one.name === called).length > 1 ? `${called} (${server})` : called,
    current: instanceId === shown
  }))
  return page(
    c,
    <PortalPage c={c} title={name} current="chat">
      {agents.length > 1 ? <Tabs label={say('Agents')} items={items} /> : null}
      <mindgate-chat
        instance={shown}
        app={app}
        name={name}
        no-files={APPS[app].hasHands ? undefined : ''}
        sign-in={`${base}/sign-in?next=${encodeURIComponent(`/chat/${shown}`)}`}
      />
      <noscript>
        {say('The chat needs JavaScript. Switch it on in your browser, then load this page again.')}
      </noscript>
      <script src={widgetPath()} defer />
    </PortalPage>
  )
}

/** An address that was kept outlives its agent. */
export function showNoAgent(c: PageContext['c']): Promise<Response> {
  const { base, look } = c.get('portal')
  const home = <LinkButton href={base || '/'}>{say('Go to the start page')}</LinkButton>
  const words = say('It was removed, or isn’t switched on for you. Ask {support} about it.', {
    support: look.name
  })
  const content = (
    <PortalPage c={c} title={say('Chat')} current="chat">
      <EmptyState title={say('This agent isn’t here, or no longer')} action={home} children={words} />
    </PortalPage>
  )
  return page(c, content, 404)
}

declare module 'hono/jsx' {
  namespace JSX {
    interface IntrinsicElements {
      'mindgate-chat': Record<'instance' | 'app' | 'name' | 'sign-in', string> & {
        'no-files': '' | undefined
      }
    }
  }
}
