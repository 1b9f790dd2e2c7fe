// Apps that somebody connected to a gateway by signing in (OAuth 2.1), each with what it may do.
import { z } from 'zod'
import { Scope } from './api-key.ts'
import { CustomerId, createdAt, RecordId, StoredTimestamp } from './primitives.ts'

export const ConnectedApp = z.object({
  appId: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  /** Who connected it. */
  email: z.string(),
  scopes: z.array(Scope),
  lastUsedAt: StoredTimestamp.nullable(),
  createdAt
})
export type ConnectedApp = z.output<typeof ConnectedApp>

export const ConnectedAppList = z.object({ data: z.array(ConnectedApp) })

export const ConnectedAppPath = z.strictObject({ appId: RecordId })

export const CustomerAppPath = z.strictObject({ customerId: CustomerId, appId: RecordId })
