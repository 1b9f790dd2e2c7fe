// kill -9 while calls are read; kills.long.test.ts has more.
import { it } from 'vitest'
import { expectBalanced } from './kills.ts'

it.each([
  ['sqlite', 8],
  ['postgres', 4]
] as const)('charges every call once through kills on %s', (kind, kills) => expectBalanced(kind, kills, 11))
