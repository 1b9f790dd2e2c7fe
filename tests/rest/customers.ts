// A partner's customers over REST, for the tests that onboard, list and update them.

import { stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { Answer, TestServer } from '../support/http.ts'

interface Customers {
  post(path: string, body: unknown, key?: string): Promise<Answer>
  patch(customerId: string, body: unknown): Promise<Answer>
  get(path: string, key?: string): Promise<Answer>
  /** The new customer's id. */
  create(fields?: Record<string, unknown>, key?: string): Promise<string>
}

/** Both are asked for at each call: a file's server starts after this. */
export function customersOf(serverOf: () => TestServer, partnerOf: () => TestPartner): Customers {
  const post = (path: string, body: unknown, key = partnerOf().key) =>
    serverOf().api('POST', path, { key, body })
  return {
    post,
    patch: (customerId, body) =>
      serverOf().api('PATCH', `/customers/${customerId}`, { key: partnerOf().key, body }),
    get: (path, key = partnerOf().key) => serverOf().api('GET', path, { key }),
    create: async (fields = {}, key = partnerOf().key) =>
      stringAt((await post('/customers', { email: uniqueEmail(), ...fields }, key)).body, 'data', 'id')
  }
}
