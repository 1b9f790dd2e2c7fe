import { databases } from '../support/databases.ts'
import { describeDoors } from './doors.ts'
import { LONG } from './plan.ts'

for (const kind of databases) describeDoors(kind, LONG)
