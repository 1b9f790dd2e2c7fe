// Where a partner is told of what happens. The console's alone: a key that leaked can't have events sent elsewhere.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AddWebhook,
  DeliveryPage,
  DeliveryPath,
  ListDeliveries,
  UpdateWebhook,
  WebhookList,
  WebhookPath,
  WebhookSecret
} from '../../schemas/webhook.ts'
import { DAY_MS, fromNow, HOUR_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { flag } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import { spendQuota } from '../limits/daily.ts'
import { hostOf, isPublicAddress } from '../net/addresses.ts'
import { ADDS, CHANGES, defineOperation, SETS } from '../operation.ts'
import { lockPartnerUsers } from '../partners/users.ts'
import type { Secrets } from '../secrets.ts'
import { writeEvent } from './events.ts'
import {
  findWebhook,
  listDeliveries,
  listWebhooks,
  markRemoved,
  queueAgain,
  shownWebhook,
  webhookContext
} from './store.ts'

const MOST_WEBHOOKS = 10
/** A receiver that knows the new secret only by then still takes what comes. */
const FORMER_SIGNS_MS = DAY_MS
/** Some 20 ms. */
const AGAIN_AT_ONCE = 1_000
/** An hour, of a partner, that somebody asks for: it would have us call others as often as it likes. */
const TRIES = { quota: 60, what: 'Webhooks were tried often enough for now' }

/** Returns where events are sent to, and how that goes. */
export const listWebhooksOperation = defineOperation({
  name: 'webhook_list',
  scope: 'settings:read',
  output: WebhookList,
  handle: async ({ db }, { partnerId }) => ({ data: (await listWebhooks(db, partnerId)).map(shownWebhook) })
})

/** Has events sent to an address from now on; its secret is shown this once. */
export const addWebhook = defineOperation({
  name: 'webhook_add',
  title: 'Add a webhook',
  scope: 'settings:write',
  input: AddWebhook,
  output: WebhookSecret,
  annotations: ADDS,
  shownOnce: ['secret'],
  errors: ['webhook_limit_reached'],
  async write(tx, ctx, { partnerId }, { url, name, types, inOrder }) {
    requireReachable(url, ctx.config)
    await lockPartnerUsers(tx, partnerId)
    if ((await listWebhooks(tx, partnerId)).length >= MOST_WEBHOOKS)
      throw new ServiceError('webhook_limit_reached')
    const id = newId('whk')
    const { secret, sealed } = newSecret(ctx.secrets, id)
    const row = { id, partnerId, url, name, types: JSON.stringify(types), inOrder: flag(inOrder) ?? 0 }
    const unused = { formerSealed: null, formerSecretUntil: null, leaseOwner: null, leaseExpiresAt: null }
    const fine = { failures: 0, trouble: null, failingSince: null, fullSince: null, lookAt: now() }
    await tx
      .insertInto('webhook')
      .values({
        ...row,
        ...unused,
        ...fine,
        isActive: 1,
        isRemoved: 0,
        sealedSecret: sealed,
        createdAt: now()
      })
      .execute()
    await ctx.audit(tx, { targetType: 'webhook', targetId: id, fields: ['url', 'types', 'inOrder'] })
    return { message: 'Events are sent there from now on.', webhookId: id, secret }
  }
})

/** Changes where events go, which, and whether any; switched on again it is tried at once. */
export const updateWebhook = defineOperation({
  name: 'webhook_update',
  title: 'Change a webhook',
  scope: 'settings:write',
  input: UpdateWebhook,
  annotations: SETS,
  async write(tx, ctx, { partnerId }, { webhookId, ...changes }) {
    await findWebhook(tx, partnerId, webhookId)
    const { types, inOrder, isActive, ...rest } = changes
    if (rest.url !== undefined) requireReachable(rest.url, ctx.config)
    // It is tried at once; to switch it off is free.
    if (isActive !== false) await spendTry(tx, ctx.config, partnerId)
    const flags = { inOrder: flag(inOrder), isActive: flag(isActive) }
    const columns = { ...rest, ...flags, types: types && JSON.stringify(types) }
    await changeWhere(tx, 'webhook', { partnerId, id: webhookId })
      .set({ ...columns, failures: 0, trouble: null, failingSince: null, lookAt: now() })
      .execute()
    await ctx.audit(tx, { targetType: 'webhook', targetId: webhookId, fields: Object.keys(changes) })
    return { message: 'The webhook was changed.' }
  }
})

/** Removes a webhook with all that waits for it. */
export const removeWebhook = defineOperation({
  name: 'webhook_remove',
  title: 'Remove a webhook',
  scope: 'settings:write',
  input: WebhookPath,
  annotations: CHANGES,
  async write(tx, ctx, { partnerId }, { webhookId: id }) {
    await findWebhook(tx, partnerId, id)
    await markRemoved(tx, { partnerId, id })
    await ctx.audit(tx, { targetType: 'webhook', targetId: id })
    return { message: 'The webhook was removed, with what waited for it.' }
  }
})

/** Makes a new secret; the one before signs beside it for a day. */
export const rotateWebhookSecret = defineOperation({
  name: 'webhook_secret_rotate',
  title: 'Exchange a webhook’s secret',
  scope: 'settings:write',
  input: WebhookPath,
  output: WebhookSecret,
  annotations: ADDS,
  shownOnce: ['secret'],
  async write(tx, ctx, { partnerId }, { webhookId: id }) {
    const { sealedSecret: formerSealed } = await findWebhook(tx, partnerId, id)
    const { secret, sealed } = newSecret(ctx.secrets, id)
    const former = { formerSealed, formerSecretUntil: fromNow(FORMER_SIGNS_MS) }
    await changeWhere(tx, 'webhook', { partnerId, id })
      .set({ sealedSecret: sealed, ...former })
      .execute()
    await ctx.audit(tx, { targetType: 'webhook', targetId: id, fields: ['secret'] })
    return { message: 'The secret was exchanged. Both sign for a day.', webhookId: id, secret }
  }
})

/** Counts that somebody asks for a webhook to be tried now. @throws ServiceError `rate_limited` */
const spendTry = (tx: WriteHandle, config: Config, partnerId: string) =>
  spendQuota(tx, config, { ...TRIES, of: ['webhook try', partnerId] }, HOUR_MS)

/** Sends the event `webhook.test` to one webhook. */
export const testWebhook = defineOperation({
  name: 'webhook_test',
  title: 'Test a webhook',
  scope: 'settings:write',
  input: WebhookPath,
  annotations: { ...ADDS, openWorld: true },
  async write(tx, ctx, { partnerId }, { webhookId }) {
    await findWebhook(tx, partnerId, webhookId)
    await spendTry(tx, ctx.config, partnerId)
    await changeWhere(tx, 'webhook', { partnerId, id: webhookId }).set({ lookAt: now() }).execute()
    await writeEvent(tx, partnerId, 'webhook.test', {}, webhookId)
    await ctx.audit(tx, { targetType: 'webhook', targetId: webhookId })
    return { message: 'A test is on its way.' }
  }
})

/** Returns what was, is and will be delivered to a webhook, newest first. */
export const listDeliveriesOperation = defineOperation({
  name: 'webhook_delivery_list',
  scope: 'settings:read',
  input: ListDeliveries,
  output: DeliveryPage,
  async handle({ db }, { partnerId }, query) {
    await findWebhook(db, partnerId, query.webhookId)
    const { rows: data, pagination } = await listDeliveries(db, query)
    return { data, pagination }
  }
})

/** Sends an event again, with the id that it had, or the oldest thousand of those that were given up. */
export const sendAgain = defineOperation({
  name: 'webhook_send_again',
  title: 'Send events again',
  scope: 'settings:write',
  input: DeliveryPath,
  annotations: { ...ADDS, openWorld: true },
  errors: ['delivery_not_found'],
  async write(tx, ctx, { partnerId }, { webhookId, eventId }) {
    await findWebhook(tx, partnerId, webhookId)
    await spendTry(tx, ctx.config, partnerId)
    const which = eventId === undefined ? { limit: AGAIN_AT_ONCE } : { eventId }
    const count = await queueAgain(tx, webhookId, which)
    if (count === 0) throw new ServiceError('delivery_not_found')
    await ctx.audit(tx, { targetType: 'webhook', targetId: webhookId })
    return { message: count === 1 ? 'The event is sent again.' : `${count} events are sent again.` }
  }
})

export const webhookOperations = [
  ...[listWebhooksOperation, addWebhook, updateWebhook, removeWebhook],
  ...[rotateWebhookSecret, testWebhook, listDeliveriesOperation, sendAgain]
]

/** What can be told without asking the network; each attempt judges what the name leads to. */
function requireReachable(url: string, { webhookAllowPrivate }: Config): void {
  const place = new URL(url)
  const { protocol, username, password } = place
  if (username || password) throw invalidField('url', 'can’t have a user or a password in it')
  if (webhookAllowPrivate) return
  if (protocol !== 'https:') throw invalidField('url', 'must begin with https://')
  const host = hostOf(place)
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw invalidField('url', 'is a private address')
}

function newSecret(secrets: Secrets, id: string) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: secrets.seal(secret, webhookContext(id)) }
}
