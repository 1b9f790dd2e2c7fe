// kill -9 of the service amid a deploy; deploy-kill.long.test.ts kills it at every point.
import { it } from 'vitest'
import { expectOneKeyAfter } from './deploy-kill.ts'

it('comes through kills, and leaves one key, the one in the agent’s configuration', () =>
  expectOneKeyAfter(['minted', 'uploaded', 'started', 'revoked'], ['configure']))
