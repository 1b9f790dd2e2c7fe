import { describePartners } from './interleaving.ts'

describePartners('sqlite', 5)
