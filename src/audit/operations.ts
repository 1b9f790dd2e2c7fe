import { AuditPage, ListAudit } from '../../schemas/audit.ts'
import { defineOperation, READS } from '../operation.ts'
import { pageOfActs } from './history.ts'
import { namesOfActors } from './names.ts'

export const listAudit = defineOperation({
  name: 'audit_list',
  title: 'List the audit log',
  summary:
    'Returns who did what to which record, newest first, a page at a time. It names what changed, never the values.',
  scope: 'audit:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/audit', group: 'Audit log' },
  input: ListAudit,
  output: AuditPage,
  annotations: READS,
  async handle({ db }, { partnerId }, query) {
    const { acts, pagination } = await pageOfActs(db, partnerId, query)
    const actors = acts.map(({ actor }) => actor)
    const names = await namesOfActors(db, partnerId, actors)
    const data = acts.map((act) => ({ ...act, actorName: names.get(act.actor) ?? null }))
    return { data, pagination }
  }
})
