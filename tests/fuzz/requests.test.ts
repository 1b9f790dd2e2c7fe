import { describeDoors } from './doors.ts'
import { SHORT } from './plan.ts'

describeDoors('sqlite', SHORT)
