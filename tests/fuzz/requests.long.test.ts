import { databases } from '../support/databases.ts'
import { describeChannels } from './channels.ts'
import { LONG } from './plan.ts'

for (const kind of databases) describeChannels(kind, LONG)
