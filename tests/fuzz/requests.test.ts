import { describeChannels } from './channels.ts'
import { SHORT } from './plan.ts'

describeChannels('sqlite', SHORT)
