// kill -9 of the service at each step of one deploy, its own and the script's.
import { it } from 'vitest'
import { DEPLOY_STEPS } from '../../src/catalog/deploy.ts'
import { expectOneKeyAfter } from './deploy-kill.ts'
import { DEPLOY_POINTS } from './deploy-process.ts'

it('comes through a kill at each step, and leaves one key, the one in the agent’s configuration', async () => {
  const steps = DEPLOY_STEPS.map(({ id }) => id)
  await expectOneKeyAfter(DEPLOY_POINTS, steps)
}, 600_000)
