import { type Command, Option } from '@commander-js/extra-typings'
import { ProviderSecret } from '../../schemas/provider-key.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { ServiceError } from '../../src/errors.ts'
import { openSecrets } from '../../src/sealing.ts'
import {
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from '../../src/voice-agents/providers/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { readSecret } from './files.ts'

export const providerOption = (bare: Command) =>
  bare.addOption(
    new Option('--provider <provider>', 'a (Vapi’s API) or b (Retell’s)')
      .choices(PROVIDERS)
      .makeOptionMandatory()
  )

const setCommand = commandOfPartner('set', {
  about: 'keep the partner’s key, sealed; it is read from a file so that no process list shows it',
  example: 'mindgate provider set --partner acme-voice --provider a < vapi.key',
  options: (bare) =>
    providerOption(bare).option(
      '--key-file <file>',
      'file with the key on one line; - reads standard input',
      '-'
    ),
  async run({ terminal, config, database, operate, partner, print }, { provider, keyFile }) {
    const key = await readSecret(terminal, keyFile, ProviderSecret, 'key: one line of printable characters')
    const parts = { secrets: await openSecrets(config, database) }
    await operate(setProviderKeyOperation, { provider, key }, { parts })
    const { partnerId, slug } = partner
    const test = `mindgate provider test --partner ${slug} --provider ${provider}`
    print({ partnerId, provider, isSet: true }, () => `The key is kept. \`${test}\` tries it.`)
  }
})

const testCommand = commandOfPartner('test', {
  about: 'ask the provider for its agents with the partner’s key',
  example: 'mindgate provider test --partner acme-voice --provider b',
  options: providerOption,
  async run({ config, database, operate, partner: { partnerId, slug }, print }, { provider }) {
    const parts = { secrets: await openSecrets(config, database) }
    const provider_key_not_found = `No key is set. \`mindgate provider set --partner ${slug} --provider ${provider}\` sets one.`
    const refusals = { provider_key_not_found }
    const { message, agentCount } = await operate(testProviderKey, { provider }, { parts, refusals })
    print({ partnerId, provider, ok: true, agentCount }, () => message)
  }
})

const removeCommand = commandOfPartner('remove', {
  about: 'forget the partner’s key; agents that are mapped stay mapped',
  example: 'mindgate provider remove --partner acme-voice --provider a',
  options: providerOption,
  async run({ operate, partner: { partnerId }, print }, { provider }) {
    const wasSet = await operate(removeProviderKeyOperation, { provider }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ServiceError && error.code === 'provider_key_not_found') return false
        throw error
      }
    )
    print({ partnerId, provider, wasSet }, () =>
      wasSet ? 'The key is forgotten.' : 'There was no key to forget.'
    )
  }
})

export const providerCommand = commandGroup(
  'provider',
  'set and test a partner’s keys at the voice-agent providers',
  [setCommand, testCommand, removeCommand]
)
