// Stage 2 killed at its start, and before and after each of its steps.
import { it } from 'vitest'
import { DEPLOY_STEPS } from '../../src/catalog/deploy.ts'
import { makeDeployer } from './deploying.ts'
import { startGateway } from './gateway.ts'
import { expectEndsRight } from './killing.ts'

it('a deploy ends right, killed at every point', { timeout: 240_000 }, async () => {
  const gateway = await startGateway()
  const deployer = makeDeployer({ baseUrl: gateway.baseUrl })
  const points = ['start', ...DEPLOY_STEPS.flatMap(({ id }) => [`before-${id}`, `after-${id}`])]
  await expectEndsRight(deployer, gateway, points)
  deployer.box.remove()
  await gateway.close()
})
