// Apps that people connected by signing in.
import {
  endCustomerApp,
  endPartnerApp,
  listCustomerApps,
  listPartnerApps
} from '../../src/connected-apps/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { minute } from './output.ts'

const listClients = commandOfPartner('list', {
  about: 'list the apps that a partner’s people connected by signing in, or those of one customer’s people',
  example: 'mindgate client list --partner acme-voice --customer C-7K2M9PQX',
  options: (bare) =>
    bare.option('--customer <id>', 'whose memory they are connected to: record id or short code'),
  async run({ operate, printTable }, { customer: customerId }) {
    const { data } =
      customerId === undefined
        ? await operate(listPartnerApps)
        : await operate(listCustomerApps, { customerId })
    printTable(data, 'Nobody has connected an app here.', {
      Id: ({ appId }) => appId,
      App: ({ clientName }) => clientName,
      Client: ({ clientId }) => clientId,
      By: ({ email }) => email,
      Scopes: ({ scopes }) => scopes.join(', '),
      'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
      Since: ({ createdAt }) => minute(createdAt)
    })
  }
})

const revokeClient = commandOfPartner('revoke', {
  about: 'end a connected app with all of its tokens; it is refused at once',
  example: 'mindgate client revoke --partner acme-voice --customer C-7K2M9PQX --app app_8a…',
  options: (bare) =>
    bare
      .requiredOption('--app <id>', 'id of the app, as `client list` shows it')
      .option('--customer <id>', 'whose memory it is connected to: record id or short code'),
  async run({ operate, print }, { app: appId, customer: customerId }) {
    const refusals = {
      app_not_found: `There is no connected app ${appId} there that could be ended. \`mindgate client list\` shows them.`
    }
    if (customerId === undefined) await operate(endPartnerApp, { appId }, { refusals })
    else await operate(endCustomerApp, { appId, customerId }, { refusals })
    print({ appId, revoked: true }, () => `${appId} is disconnected.`)
  }
})

export const clientCommand = commandGroup(
  'client',
  'list and end the apps that people connected by signing in',
  [listClients, revokeClient]
)
