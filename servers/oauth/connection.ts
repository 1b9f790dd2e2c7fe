// A request to connect an app, from when it came in until a person has decided about it.

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { Scope } from '../../schemas/api-key.ts'
import { openRecords } from '../../src/connected-apps/records.ts'
import { connectApp, type GatewayName, type NewApp } from '../../src/connected-apps/store.ts'
import { ServiceError } from '../../src/errors.ts'
import { say } from '../../src/language/say.ts'
import type { Service } from '../../src/service.ts'
import type { PageEnv } from '../portal/env.ts'
import { destinationOf } from './client-metadata.ts'
import { providerAt } from './place.ts'
import { COOKIES, gatewayMeant } from './resources.ts'

export type Connection = Awaited<ReturnType<typeof pendingConnection>>

/**
 * The request that this page is about, which began in this very browser and at this site: nobody decides about somebody
 * else's.
 * @throws ServiceError `link_ended`
 */
export async function pendingConnection(service: Service, c: Context<PageEnv>, gateway: GatewayName) {
  const uid = c.req.param('uid') ?? ''
  const hosted = c.get('portal')?.base === '' ? c.get('portal') : undefined
  const place = { issuer: c.get('origin'), portal: hosted }
  const provider = await providerAt(service, place)
  const interaction =
    getCookie(c, COOKIES.interaction) === uid ? await provider.Interaction.find(uid) : undefined
  const { client_id, redirect_uri, resource, scope, portal } = interaction?.params ?? {}
  const isHere =
    gatewayMeant(place.issuer, String(resource)) === gateway &&
    (gateway === 'partner' || place.portal !== undefined || portal === c.get('portal').slug)
  const client = isHere ? await provider.Client.find(String(client_id)).catch(() => undefined) : undefined
  if (!interaction || !client) {
    throw new ServiceError(
      'link_ended',
      'This request has expired, was decided already, or was begun in another browser. Begin again in the app.'
    )
  }
  const back = new URL(interaction.returnTo).pathname
  // Whoever decides first has decided, however often the form is sent.
  const claim = () => openRecords(service.database, 'Interaction').consume(uid)
  const host = URL.canParse(client.clientId) ? new URL(client.clientId).host : undefined
  return {
    client: {
      clientId: client.clientId,
      clientName: client.clientName || host || say('An app without a name')
    },
    /** The host that answers for the client's name; none where it registered and nobody does. */
    host,
    destination: destinationOf(String(redirect_uri)),
    scopes: String(scope)
      .split(' ')
      .flatMap((one) => Scope.safeParse(one).data ?? []),
    /** Keeps that the app was let in, and answers where the browser goes on. @throws ServiceError what a transaction throws */
    async allow(partnerId: string, app: Omit<NewApp, 'client'>): Promise<string> {
      if (!(await claim())) return back
      const appId = await service.database.transaction((tx) =>
        connectApp(tx, partnerId, { ...app, client: this.client })
      )
      const grant = new provider.Grant({ accountId: appId, clientId: client.clientId })
      grant.jti = appId
      const rejected = this.scopes.filter((one) => !app.scopes.includes(one))
      grant.addResourceScope(String(resource), app.scopes.join(' '))
      grant.rejectResourceScope(String(resource), rejected.join(' '))
      await grant.save()
      return this.end({ login: { accountId: appId, remember: false }, consent: { grantId: appId } })
    },
    async refuse(): Promise<string> {
      if (!(await claim())) return back
      return this.end({ error: 'access_denied', error_description: 'The person declined.' })
    },
    async end(result: NonNullable<typeof interaction.result>): Promise<string> {
      interaction.result = result
      await interaction.persist()
      return back
    }
  }
}
