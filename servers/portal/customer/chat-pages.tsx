// Chat with the agent on one's server. What is said goes through the chat route; the page only holds the widget.
import { Hono } from 'hono'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { noSuchPage } from '../errors.tsx'
import { ChatPage } from './chat-page.tsx'

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
