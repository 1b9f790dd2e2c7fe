// The console's pages on customers' servers and the deploys there. Mounted behind consoleVisitor().
import { type Context, Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import type { Visit } from '../visit.ts'
import { showDeployForm, startDeploy } from './deploy-form.tsx'
import { showDeploy, streamDeploy } from './deploy-page.tsx'
import { removeServer, showInstance, tryServer } from './instance-page.tsx'
import { showInstances } from './list.tsx'
import { instancePath } from './paths.ts'
import { chooseForWhom, registerServer, showRegistration } from './register.tsx'

/** `/instances` and below. */
export function instancePages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const by = (answer: (visit: Visit) => Promise<Response>) => (c: Context<PageEnv>) => answer({ c, service })

  app.get('/', by(showInstances))
  app.get('/register', by(chooseForWhom))
  app.get('/register/:customerId', by(showRegistration))
  app.post('/register/:customerId', by(registerServer))
  app.get('/:instanceId', by(showInstance))
  app.post('/:instanceId/test', by(tryServer))
  app.post('/:instanceId/remove', by(removeServer))
  // The address of a form only leads to its page.
  for (const form of ['test', 'remove']) {
    app.get(`/:instanceId/${form}`, (c) => c.redirect(instancePath(c.req.param('instanceId')), 302))
  }
  app.get('/:instanceId/deploy', by(showDeployForm))
  app.post('/:instanceId/deploy', by(startDeploy))
  app.get('/:instanceId/deploys/:deployId', by(showDeploy))
  app.get('/:instanceId/deploys/:deployId/events', by(streamDeploy))
  return app
}
