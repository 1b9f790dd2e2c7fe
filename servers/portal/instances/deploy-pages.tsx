// The console's pages on deploys. Mounted behind consoleVisitor(), below `/instances`.
import { type Context, Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import type { Visit } from '../console-customers/console.ts'
import type { PageEnv } from '../env.ts'
import { showDeployForm, startDeploy } from './deploy-form.tsx'
import { showDeploy, streamDeploy } from './deploy-page.tsx'

export function deployPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const by = (answer: (visit: Visit) => Promise<Response>) => (c: Context<PageEnv>) => answer({ c, service })

  app.get('/:instanceId/deploy', by(showDeployForm))
  app.post('/:instanceId/deploy', by(startDeploy))
  app.get('/:instanceId/deploys/:deployId', by(showDeploy))
  app.get('/:instanceId/deploys/:deployId/events', by(streamDeploy))
  return app
}
