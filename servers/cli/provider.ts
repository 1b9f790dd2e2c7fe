import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Command, Option } from '@commander-js/extra-typings'
import { Acknowledgement } from '../../schemas/envelope.ts'
import { ProviderKeyTest, ProviderSecret } from '../../schemas/provider-key.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { ServiceError } from '../../src/errors.ts'
import { openSecrets } from '../../src/sealing.ts'
import {
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from '../../src/voice-agents/providers/operations.ts'
import { CommandError } from './failure.ts'
import { operate } from './operate.ts'
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
      withDatabase(terminal, async (place) => {
        const { partnerId, slug } = await partnerNamed(place.database, idOrSlug)
        const input = { provider, key: await readKey(terminal, keyFile) }
        const parts = { secrets: await openSecrets(place.config, place.database) }
        await operate(place, setProviderKeyOperation, { partnerId, input, output: Acknowledgement, parts })
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
      withDatabase(terminal, async (place) => {
        const { partnerId, slug } = await partnerNamed(place.database, idOrSlug)
        const parts = { secrets: await openSecrets(place.config, place.database) }
        const provider_key_not_found = `No key is set. \`mindgate provider set --partner ${slug} --provider ${provider}\` sets one.`
        const { message, agentCount } = await operate(place, testProviderKey, {
          ...{ partnerId, input: { provider }, output: ProviderKeyTest, parts },
          refusals: { provider_key_not_found }
        })
        print(terminal, { json }, { partnerId, provider, ok: true, agentCount }, () => message)
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
      withDatabase(terminal, async (place) => {
        const { partnerId } = await partnerNamed(place.database, idOrSlug)
        const wasSet = await operate(place, removeProviderKeyOperation, {
          ...{ partnerId, input: { provider }, output: Acknowledgement }
        }).then(
          () => true,
          (error: unknown) => {
            if (error instanceof ServiceError && error.code === 'provider_key_not_found') return false
            throw error
          }
        )
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
