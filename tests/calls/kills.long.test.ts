// kill -9 while calls are read, over and over on the same books.
import { it } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectBalanced } from './kills.ts'

it.each(databases)('charges every call once through twenty kills on %s', (kind) =>
  expectBalanced(kind, 20, 12)
)
