// kill -9 of the service before the script, amid it and after it; deploy-kill.long.test.ts kills it at every point.
import { it } from 'vitest'
import { expectOneKeyAfter } from './deploy-kill.ts'

it('comes through kills, and leaves one key, the one in the agent’s configuration', () =>
  expectOneKeyAfter(['minted', 'revoked'], ['configure']))
