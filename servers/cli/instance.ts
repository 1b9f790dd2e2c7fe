import { z } from 'zod'
import { RegisterInstance } from '../../schemas/instance.ts'
import { Port } from '../../schemas/server-address.ts'
import { registerInstanceOperation, testInstance } from '../../src/instances/operations.ts'
import { listCustomerInstances, toInstance } from '../../src/instances/store.ts'
import { asked } from './asked.ts'
import { commandGroup, commandOfCustomer, commandOfInstance } from './command.ts'
import { FAILED } from './failure.ts'
import { agentCommands } from './instance-agent.ts'
import { backupCommands } from './instance-backup.ts'
import { chatCommand, usageCommand } from './instance-use.ts'
import { card, minute, styled } from './output.ts'
import { textOf } from './values.ts'

const { host, username, hostKey, root, name, replaces, jump, jumpHostKey } = RegisterInstance.shape

const addCommand = commandOfCustomer('add', {
  about: 'register a customer’s server and make the key pair that lets the service in',
  note: 'The same place again keeps its id and key.',
  example: 'mindgate instance add --customer cus_4f… --host vps1.example.com --port 22 --user root',
  options: (bare) =>
    bare
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
      .option('--jump <user@host:port>', 'the jump host that leads there', textOf(jump.unwrap()))
      .option('--jump-host-key <fingerprint>', 'the host key of that', textOf(jumpHostKey.unwrap()))
      .option('--name <name>', 'what to call it (default: its host)', textOf(name.unwrap()))
      .option(
        '--replaces <instance>',
        'the instance that moves here and keeps its id',
        textOf(replaces.unwrap())
      ),
  async run(at, { host, port, user: username, ...given }) {
    const { hostKey, root, name, replaces, jump, jumpHostKey } = given
    const input = { host, port, username, hostKey, root, name, replaces, jump, jumpHostKey }
    const { data } = await asked(at, registerInstanceOperation, input)
    const { instanceId, hostKey: pinned, publicKey } = data
    at.print({ instanceId, hostKey: pinned, publicKey }, () =>
      [
        card(`Server of ${at.customer.email}`, { Id: instanceId, 'Host key': pinned }),
        '',
        `Let the service in: append this line to ~${data.username}/.ssh/authorized_keys on the server.`,
        '',
        publicKey,
        '',
        styled('dim', `Then try it: mindgate instance test ${instanceId}`)
      ].join('\n')
    )
  }
})

const listCommand = commandOfCustomer('list', {
  about: 'list the servers of a customer in the order of registration',
  example: 'mindgate instance list --customer cus_4f…',
  async run({ database, customer: { id, partnerId }, printTable }) {
    const instances = await listCustomerInstances(database.read, partnerId, id)
    const whenEmpty = `No server yet. Register one: mindgate instance add --customer ${id} --host vps1.example.com`
    printTable(instances.map(toInstance), whenEmpty, {
      Id: ({ instanceId }) => instanceId,
      Name: (row) => row.name,
      Host: (row) => `${row.username}@${row.host}:${row.port}`,
      Root: (row) => row.root || null,
      Status: ({ status }) => status,
      Agent: ({ agentName }) => agentName,
      Checked: ({ checkedAt }) => minute(checkedAt),
      'No answer since': ({ unreachableSince }) => minute(unreachableSince),
      Registered: ({ createdAt }) => minute(createdAt)
    })
  }
})

const testCommand = commandOfInstance('test', {
  about: 'sign in to a server and look whether its agent is ready',
  note: 'Exit code 1 if it can’t be reached.',
  example: 'mindgate instance test ins_6g…',
  async run(at) {
    const { instanceId } = at.instance
    const outcome = await asked(at, testInstance)
    at.print({ instanceId, ...outcome }, ({ message }) => message)
    if (!outcome.reachable) at.terminal.exitCode = FAILED
  }
})

export const instanceCommand = commandGroup(
  'instance',
  'register customers’ virtual servers, and look after the agents on them',
  [addCommand, listCommand, testCommand, ...agentCommands, ...backupCommands, chatCommand, usageCommand]
)
