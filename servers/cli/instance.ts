import { Command } from '@commander-js/extra-typings'
import { z } from 'zod'
import { InstanceTest, Port, RegisterInstance, RegisterInstanceResult } from '../../schemas/instance.ts'
import type { ExecuteContext } from '../../src/execute.ts'
import { toInstance } from '../../src/instances/list.ts'
import { registerInstanceOperation, testInstance } from '../../src/instances/operations.ts'
import { openSshConnections } from '../../src/instances/ssh/connections.ts'
import { listCustomerInstances, partnerIdOfInstance } from '../../src/instances/store.ts'
import { openSecrets } from '../../src/sealing.ts'
import { CommandError, FAILED } from './failure.ts'
import { operate } from './operate.ts'
import { card, minute, print, styled, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { textOf } from './values.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, type Workplace, withDatabase } from './workplace.ts'

export const instanceCommand = (terminal: Terminal) =>
  new Command('instance')
    .description('register, list and test customers’ virtual servers')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(testCommand(terminal))

const { host, username, hostKey, root, name } = RegisterInstance.shape

const addCommand = (terminal: Terminal) =>
  new Command('add')
    .description('register a customer’s server and make the key pair that lets the service in')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .requiredOption('--host <host>', 'name or address of the server', textOf(host))
    .option('--port <port>', 'port of its SSH service', textOf(z.coerce.number().pipe(Port)), 22)
    .option('--user <name>', 'user to sign in as', textOf(username.unwrap()), 'root')
    .option(
      '--host-key <fingerprint>',
      'its host key, SHA256:…; needed while the server is not up (default: the one that it shows)',
      textOf(hostKey.unwrap())
    )
    .option(
      '--root <folder>',
      'folder on the server for everything of the agent, for several sandboxes on one machine (default: the usual places)',
      textOf(root.unwrap())
    )
    .option('--name <name>', 'what to call it (default: its host)', textOf(name.unwrap()))
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nThe same place again keeps its id and key.\n\nExample:\n  $ mindgate instance add --customer cus_4f… --host vps1.example.com --port 22 --user root'
    )
    .action(({ customer: reference, partner, user, json, ...place }) =>
      withServers(terminal, async (workplace, parts) => {
        const {
          id: customerId,
          partnerId,
          email
        } = await customerNamed(...([workplace.database, reference, partner] as const))
        const input = { customerId, username: user, ...place }
        const { data } = await operate(workplace, registerInstanceOperation, {
          ...{ partnerId, input, output: RegisterInstanceResult, parts }
        })
        const { instanceId, hostKey: pinned, publicKey } = data
        print(terminal, { json }, { instanceId, hostKey: pinned, publicKey }, () =>
          [
            card(`Server of ${email}`, { Id: instanceId, 'Host key': pinned }),
            '',
            `Let the service in: append this line to ~${data.username}/.ssh/authorized_keys on the server.`,
            '',
            publicKey,
            '',
            styled('dim', `Then try it: mindgate instance test ${instanceId}`)
          ].join('\n')
        )
      })
    )

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list the servers of a customer in the order of registration')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate instance list --customer cus_4f…')
    .action(({ customer: reference, partner, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { id, partnerId } = await customerNamed(database, reference, partner)
        const instances = await listCustomerInstances(database.read, partnerId, id)
        print(terminal, { json }, instances.map(toInstance), (rows) =>
          table(
            rows,
            {
              Id: ({ instanceId }) => instanceId,
              Name: (row) => row.name,
              Host: (row) => `${row.username}@${row.host}:${row.port}`,
              Root: (row) => row.root || null,
              Status: ({ status }) => status,
              Agent: ({ agentName }) => agentName,
              Registered: ({ createdAt }) => minute(createdAt)
            },
            `No server yet. Register one: mindgate instance add --customer ${id} --host vps1.example.com`
          )
        )
      })
    )

const testCommand = (terminal: Terminal) =>
  new Command('test')
    .description('sign in to a server and look whether its agent is ready')
    .argument('<instance>', 'id of the server, as `instance list` shows it')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nExit code 1 if it can’t be reached.\n\nExample:\n  $ mindgate instance test ins_6g…'
    )
    .action((instanceId, { json }) =>
      withServers(terminal, async (place, parts) => {
        const partnerId = await partnerIdOfInstance(place.database.read, instanceId)
        if (!partnerId) {
          throw new CommandError(
            `No server has the id ${instanceId}. \`mindgate instance list --customer ID\` shows a customer’s.`
          )
        }
        const outcome = await operate(place, testInstance, {
          ...{ partnerId, input: { instanceId }, output: InstanceTest, parts }
        })
        print(terminal, { json }, { instanceId, ...outcome }, ({ message }) => message)
        if (!outcome.reachable) terminal.exitCode = FAILED
      })
    )

/** The place with what reaches servers. */
const withServers = (
  terminal: Terminal,
  work: (place: Workplace, parts: Pick<ExecuteContext, 'ssh' | 'secrets'>) => Promise<void>
) =>
  withDatabase(terminal, async (place) => {
    const ssh = openSshConnections(place.config)
    try {
      await work(place, { ssh, secrets: await openSecrets(place.config, place.database) })
    } finally {
      await ssh.close()
    }
  })
