import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Command, Option } from '@commander-js/extra-typings'
import { ProviderSecret } from '../../schemas/provider-key.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { openSecrets } from '../../src/sealing.ts'
import { adapterOf, connectionOf, providerUnavailable } from '../../src/voice-agents/providers/ask.ts'
import { removeProviderKey, setProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { CommandError } from './failure.ts'
import { print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

export const providerCommand = (terminal: Terminal) =>
  new Command('provider')
    .description('set and test a partner’s keys at the voice-agent providers')
    .addCommand(setCommand(terminal))
    .addCommand(testCommand(terminal))
    .addCommand(removeCommand(terminal))

const providerOption = () =>
  new Option('--provider <provider>', 'a (Vapi’s API) or b (Retell’s)')
    .choices(PROVIDERS)
    .makeOptionMandatory()

const setCommand = (terminal: Terminal) =>
  new Command('set')
    .description('keep the partner’s key, sealed; it is read from a file so that no process list shows it')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .addOption(providerOption())
    .option('--key-file <file>', 'file with the key on one line; - reads standard input', '-')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ mindgate provider set --partner acme-voice --provider a < vapi.key'
    )
    .action(({ partner: idOrSlug, provider, keyFile, json }) =>
      withDatabase(terminal, async ({ config, database }) => {
        const { partnerId, slug } = await partnerNamed(database, idOrSlug)
        const key = await readKey(terminal, keyFile)
        const secrets = await openSecrets(config, database)
        await database.transaction((tx) => setProviderKey(tx, secrets, partnerId, provider, key))
        print(
          terminal,
          { json },
          { partnerId, provider, isSet: true },
          () =>
            `The key is kept. \`mindgate provider test --partner ${slug} --provider ${provider}\` tries it.`
        )
      })
    )

const testCommand = (terminal: Terminal) =>
  new Command('test')
    .description('ask the provider for its agents with the partner’s key')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .addOption(providerOption())
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate provider test --partner acme-voice --provider b')
    .action(({ partner: idOrSlug, provider, json }) =>
      withDatabase(terminal, async ({ config, database }) => {
        const { partnerId, slug } = await partnerNamed(database, idOrSlug)
        const ctx = { config, secrets: await openSecrets(config, database), db: database.read }
        const connection = await connectionOf(ctx, partnerId, provider)
        if (!connection) {
          throw new CommandError(
            `No key is set. \`mindgate provider set --partner ${slug} --provider ${provider}\` sets one.`
          )
        }
        let agentCount = 0
        try {
          for await (const _agent of adapterOf(provider).listAgents(connection)) agentCount += 1
        } catch (error) {
          throw providerUnavailable(provider, error)
        }
        print(
          terminal,
          { json },
          { partnerId, provider, ok: true, agentCount },
          () => `The key works: the account has ${agentCount} agent${agentCount === 1 ? '' : 's'}.`
        )
      })
    )

const removeCommand = (terminal: Terminal) =>
  new Command('remove')
    .description('forget the partner’s key; agents that are mapped stay mapped')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .addOption(providerOption())
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate provider remove --partner acme-voice --provider a')
    .action(({ partner: idOrSlug, provider, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { partnerId } = await partnerNamed(database, idOrSlug)
        const wasSet = await database.transaction((tx) => removeProviderKey(tx, partnerId, provider))
        print(terminal, { json }, { partnerId, provider, wasSet }, () =>
          wasSet ? 'The key is forgotten.' : 'There was no key to forget.'
        )
      })
    )

async function readKey({ stdin }: Terminal, file: string): Promise<string> {
  const content = await text(file === '-' ? stdin : createReadStream(file))
  const parsed = ProviderSecret.safeParse(content.trim())
  if (!parsed.success) {
    throw new CommandError(
      `${file === '-' ? 'Standard input' : file} has no key: one line of printable characters.`
    )
  }
  return parsed.data
}
