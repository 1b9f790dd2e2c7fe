// The widget on a page of the portal, as high as the window.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { widgetPath } from '../widget/bundle.ts'
import type { ChatAgent } from './chat-agents.ts'

export const ChatPage: FC<{ c: Context<PageEnv>; agent: ChatAgent }> = ({ c, agent }) => {
  const { base } = c.get('site')
  const { agents } = c.get('visitor')
  const path = `${base}/chat/${agent.instanceId}`
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
        sign-in={`${base}/sign-in?next=${encodeURIComponent(path)}`}
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
