// The customers of a server's partner, for the tests that act on them in the console.

import { at, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'

/** The server is asked for at each call: a file starts it after this. */
export function customersInConsole(serverOf: () => TestServer) {
  const act = (name: string, input: Record<string, unknown> = {}) =>
    run(serverOf().service, serverOf().partner.partnerId, name, input)
  return {
    act,
    async makeCustomer(changes: Record<string, unknown> = {}): Promise<string> {
      const made = await act('customer_create', { email: uniqueEmail(), firstName: 'Ada' })
      const customerId = stringAt(made, 'data', 'id')
      await act('customer_update', { customerId, ...changes })
      return customerId
    },
    customer: async (customerId: string): Promise<unknown> =>
      at(await act('customer_get', { customerId }), 'data'),
    pathOf: (customerId: string, ...below: string[]): string =>
      ['/console/customers', customerId, ...below].join('/')
  }
}
