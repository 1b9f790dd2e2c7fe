// Chat with the agent on one's server. What is said goes through the chat route; the page only holds the widget.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { noSuchPage } from '../errors.tsx'
import { PortalPage } from '../frames.tsx'
import { Tabs } from '../ui/layout.tsx'
import { widgetPath } from '../widget/routes.ts'
import type { ChatAgent } from './chat-agents.ts'

export function chatPages(): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  app.get('/', (c) => {
    const [agent] = c.get('visitor').agents
    if (!agent) throw noSuchPage()
    return page(c, <ChatPage c={c} agent={agent} />)
  })
  app.get('/:instanceId', (c) => {
    const agent = c.get('visitor').agents.find(({ instanceId }) => instanceId === c.req.param('instanceId'))
    if (!agent) throw noSuchPage()
    return page(c, <ChatPage c={c} agent={agent} />)
  })
  return app
}

// The widget on a page of the portal, as high as the window.
const ChatPage: FC<{ c: Context<PageEnv>; agent: ChatAgent }> = ({ c, agent }) => {
  const { base } = c.get('site')
  const { agents } = c.get('visitor')
  return (
    <PortalPage c={c} title={agent.name} current="chat">
      {agents.length > 1 ? (
        <Tabs
          label="Agents"
          items={agents.map(({ instanceId, name }) => ({
            href: `${base}/chat/${instanceId}`,
            label: name,
            current: instanceId === agent.instanceId
          }))}
        />
      ) : null}
      <mindgate-chat
        instance={agent.instanceId}
        name={agent.name}
        sign-in={`${base}/sign-in?next=${encodeURIComponent(`/chat/${agent.instanceId}`)}`}
      />
      <noscript>The chat needs JavaScript. Switch it on in your browser, then load this page again.</noscript>
      <script src={widgetPath()} defer />
    </PortalPage>
  )
}

declare module 'hono/jsx' {
  namespace JSX {
    interface IntrinsicElements {
      'mindgate-chat': { instance: string; name: string; 'sign-in': string }
    }
  }
}
