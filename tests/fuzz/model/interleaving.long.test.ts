import { databases } from '../../support/databases.ts'
import { describePartners } from './interleaving.ts'

for (const kind of databases) describePartners(kind, 12)
