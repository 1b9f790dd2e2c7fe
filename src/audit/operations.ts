import { AuditPage, ListAudit } from '../../schemas/audit.ts'
import { getCustomer } from '../customers/store.ts'
import { defineOperation } from '../operation.ts'
import { pageOfActs } from './history.ts'

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
  async handle({ db }, { partnerId }, { customerId: asked, ...query }) {
    const customerId = asked && (await getCustomer(db, partnerId, asked)).id
    return pageOfActs(db, partnerId, { ...query, customerId })
  }
})
