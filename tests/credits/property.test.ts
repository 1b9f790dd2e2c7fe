import { databases } from '../support/databases.ts'
import { describeCredits } from './property.ts'

for (const kind of databases) describeCredits(kind, 10)
