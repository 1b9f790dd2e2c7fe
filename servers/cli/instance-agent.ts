// The agent on a customer's server: deploying it, looking after it, and removing the server.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { z } from 'zod'
import { AgentSettings } from '../../schemas/agent-settings.ts'
import { APP_IDS } from '../../schemas/app.ts'
import { DeployInstance, type DeployProgress } from '../../schemas/deploy.ts'
import { AgentLogsPath, ON_SERVER } from '../../schemas/instance.ts'
import { ProviderSecret } from '../../schemas/provider-key.ts'
import { getAgentHealth, getAgentLogs, restartAgent } from '../../src/instances/care.ts'
import {
  cancelRollout,
  configureAgent,
  getRollout,
  startRollout
} from '../../src/instances/deploy/configure.ts'
import { deployInstance, getDeployStatus } from '../../src/instances/deploy/operations.ts'
import { removeInstance } from '../../src/instances/operations.ts'
import { rotateInstanceKey } from '../../src/instances/rotate-key.ts'
import { healthInWords } from '../agent-health.ts'
import { asked } from './asked.ts'
import { commandOfInstance, commandOfPartner } from './command.ts'
import { confirm } from './confirm.ts'
import { FAILED } from './failure.ts'
import { readSecret } from './files.ts'
import { card, type Terminal } from './output.ts'
import { textOf } from './values.ts'

const { businessName, telegramChatId } = DeployInstance.shape
const { instructions, model, release } = AgentSettings.shape
const { lines } = AgentLogsPath.shape

const deployCommand = commandOfInstance('deploy', {
  about: 'install the agent on a server, and follow that to its end',
  note: 'The running service carries it through, with this command or without. Exit code 1 if it fails.',
  example: [
    'mindgate instance deploy ins_6g… --name "Clínica Sol"',
    'mindgate instance deploy ins_6g… --name "Clínica Sol" --telegram-chat 123456789 --telegram-token-file bot.token',
    'mindgate instance deploy ins_6g… --name "Clínica Sol" --reinstall --no-wait'
  ],
  options: (bare) =>
    bare
      .requiredOption('--name <business>', 'whom the agent speaks for', textOf(businessName))
      .option(
        '--telegram-chat <id>',
        'Telegram chat that its bot listens to',
        textOf(telegramChatId.unwrap())
      )
      .option('--telegram-token-file <file>', 'file with the bot’s token on one line; - reads standard input')
      .option('--wipe-former', 'delete what another customer’s agent left there, rather than set it aside')
      .addOption(new Option('--app <id>', 'which agent (default: the one that is there)').choices(APP_IDS))
      .option('--reinstall', 'install it again over the agent that is there; its history is kept')
      .option('--no-wait', 'don’t follow it'),
  async run(at, { name, app, telegramChat, telegramTokenFile, reinstall, wipeFormer, wait }) {
    const { instanceId } = at.instance
    const telegramBotToken =
      telegramTokenFile &&
      (await readSecret(at.terminal, telegramTokenFile, ProviderSecret, 'token: one line'))
    const telegram = { telegramChatId: telegramChat, telegramBotToken }
    const input = { businessName: name, app, ...telegram, confirmReinstall: reinstall, wipeFormer }
    const refusals = {
      reinstall_not_confirmed: 'The agent is deployed there already. Say --reinstall to install it again.',
      models_missing: 'Its partner has no model yet: `mindgate partner update --partner ID --models …`.'
    }
    const { message, data } = await asked(at, deployInstance, input, { refusals })
    if (!wait) return at.print({ instanceId, ...data }, () => message)
    await followToItsEnd(at, `${name}’s agent is ready.`)
  }
})

const changeCommand = commandOfInstance('change', {
  about: 'change what an agent is told, its model or its release, and make it new keys; or just those',
  note: 'What isn’t given stays. The running service carries it through. Exit code 1 if it fails.',
  example: [
    'mindgate instance change ins_6g…',
    'mindgate instance change ins_6g… --name Luna --instructions-file house-rules.txt --model gpt-5'
  ],
  options: (bare) =>
    withSettings(bare.option('--name <business>', 'whom the agent speaks for', textOf(businessName))).option(
      '--no-wait',
      'don’t follow it'
    ),
  async run(at, { name: businessName, wait, ...given }) {
    const { instanceId } = at.instance
    const input = { businessName, ...(await settingsIn(at.terminal, given)) }
    const { message, data } = await asked(at, configureAgent, input)
    if (!wait) return at.print({ instanceId, ...data }, () => message)
    await followToItsEnd(at, 'The agent is changed.')
  }
})

const changeAllCommand = commandOfPartner('change-all', {
  about: 'change all of a partner’s agents in this way, three at a time, and show how far that is',
  note: 'It stops after three that didn’t get through. With --show nothing is begun, with --cancel no further one.',
  example: [
    'mindgate instance change-all --partner acme-voice --release v2026.7.1',
    'mindgate instance change-all --partner acme-voice --show'
  ],
  options: (bare) =>
    withSettings(bare)
      .option('--show', 'only show how far the newest one is')
      .option('--cancel', 'begin with no further agent'),
  async run(at, { show, cancel, ...given }) {
    const { data } = show
      ? await asked(at, getRollout)
      : cancel
        ? await asked(at, cancelRollout)
        : await asked(at, startRollout, await settingsIn(at.terminal, given))
    at.print({ rollout: data }, ({ rollout }) =>
      rollout === null
        ? 'There was none yet.'
        : [
            card('Change of all agents', {
              ...{ State: rollout.state, Done: String(rollout.succeeded) },
              ...{ 'Under way': String(rollout.underWay), 'Still to come': String(rollout.waiting) }
            }),
            ...rollout.failed.map(({ instanceId, name, message }) => `  ${instanceId}  ${name}  ${message}`)
          ].join('\n')
    )
  }
})

interface GivenSettings {
  instructionsFile?: string | undefined
  model?: string | undefined
  release?: string | undefined
}

const withSettings = <Args extends unknown[], Options extends OptionValues>(bare: Command<Args, Options>) =>
  bare
    .option(
      '--instructions-file <file>',
      'what the business wants of it, in plain words; - reads standard input'
    )
    .option('--model <name>', 'one of the partner’s models, or auto', textOf(model.unwrap()))
    .option('--release <tag>', 'another release to install', textOf(release.unwrap()))

async function settingsIn(terminal: Terminal, { instructionsFile, model, release }: GivenSettings) {
  const told =
    instructionsFile === undefined
      ? {}
      : { instructions: await readSecret(terminal, instructionsFile, instructions.unwrap(), 'instructions') }
  return { ...told, model, release }
}

async function followToItsEnd(at: AtInstance, done: string): Promise<void> {
  const ended = await followed(at.terminal, () => progressOf(at), 2 * at.config.deployTimes.lookMs)
  const { instanceId } = at.instance
  at.print({ instanceId, ...ended }, () => (ended.state === 'failed' ? ended.message : done))
  if (ended.state === 'failed') at.terminal.exitCode = FAILED
}

const statusCommand = commandOfInstance('status', {
  about: 'show how the newest deploy on a server stands: its steps, and the end of its log',
  example: 'mindgate instance status ins_6g…',
  async run(at) {
    const progress = await progressOf(at)
    at.print({ instanceId: at.instance.instanceId, ...progress }, ({ status, deployId, steps, log }) =>
      [
        card(at.instance.instanceId, { Status: status, Deploy: deployId, Says: progress.message || null }),
        ...steps.map(inLine),
        ...(log === '' ? [] : ['', log.trimEnd()])
      ].join('\n')
    )
  }
})

const logsCommand = commandOfInstance('logs', {
  about: 'show the last lines of what the agent on a server logs itself',
  example: 'mindgate instance logs ins_6g… --lines 500',
  options: (bare) =>
    bare.option('--lines <n>', 'how many at most', textOf(z.coerce.number().pipe(lines.unwrap())), 100),
  async run(at, { lines }) {
    const { instanceId } = at.instance
    const { data } = await asked(at, getAgentLogs, { lines })
    at.print({ instanceId, ...data }, ({ log }) => log.trimEnd() || 'The agent has logged nothing yet.')
  }
})

const healthCommand = commandOfInstance('health', {
  about: 'show the agent’s version, and how its server is',
  example: 'mindgate instance health ins_6g…',
  async run(at) {
    const { instanceId } = at.instance
    const { data } = await asked(at, getAgentHealth)
    at.print({ instanceId, ...data }, (health) => card(instanceId, healthInWords(health)))
  }
})

const restartCommand = commandOfInstance('restart', {
  about: 'end what the agent is at work on, and restart its service',
  example: 'mindgate instance restart ins_6g…',
  async run(at) {
    const { instanceId } = at.instance
    const { message, data } = await asked(at, restartAgent)
    at.print({ instanceId, ...data }, () => message)
  }
})

const rotateKeyCommand = commandOfInstance('rotate-key', {
  about: 'make a new key pair for a server, let it in there, and take the former one out',
  example: 'mindgate instance rotate-key ins_6g…',
  async run(at) {
    const { message, data } = await asked(at, rotateInstanceKey)
    at.print(data, () => message)
  }
})

const removeCommand = commandOfInstance('remove', {
  about: 'forget a server with its chat history, and end its agent’s keys',
  note: 'keep stops the agent and removes its secrets there, wipe its home, too; leave changes nothing there.',
  example: ['mindgate instance remove ins_6g…', 'mindgate instance remove ins_6g… --on-server wipe --yes'],
  options: (bare) =>
    bare
      .addOption(
        new Option('--on-server <what>', 'what becomes of the agent').choices(ON_SERVER).default('leave')
      )
      .option('--yes', 'don’t ask first'),
  async run(at, { onServer, yes }) {
    const { instanceId } = at.instance
    const home = onServer === 'wipe' ? ', and its agent’s home there' : ''
    if (!yes) await confirm(at.terminal, `Remove ${instanceId} with its chat history${home}?`)
    const { message } = await asked(at, removeInstance, { onServer })
    at.print({ instanceId, removed: true }, () => message)
  }
})

type AtInstance = Parameters<Parameters<typeof commandOfInstance>[1]['run']>[0]

const progressOf = async ({ operate }: AtInstance): Promise<DeployProgress> =>
  (await operate(getDeployStatus)).data

/** Says each step once it is over, until the deploy is. */
async function followed(
  { stderr }: Terminal,
  look: () => Promise<DeployProgress>,
  patienceMs: number
): Promise<DeployProgress> {
  const startedAt = performance.now()
  const said = new Set<string>()
  const say = (line: string) => {
    if (!said.has(line)) stderr.write(`${line}\n`)
    said.add(line)
  }
  for (;;) {
    const progress = await look()
    const over = progress.steps.filter(({ state }) => state !== 'pending' && state !== 'running')
    for (const step of over) say(inLine(step))
    if (progress.state !== 'running') return progress
    if (progress.message !== '') say(`Waiting. ${progress.message}`)
    const isUntouched = progress.steps.every(({ state }) => state === 'pending')
    if (isUntouched && performance.now() - startedAt > patienceMs) say(UNTOUCHED)
    await sleep(1_000)
  }
}

const UNTOUCHED =
  'No running service has taken it up yet: it begins once one runs on this database (`mindgate serve`). Ctrl-C ends only this command.'

const inLine = ({ title, state, detail }: DeployProgress['steps'][number]): string =>
  `  ${state.padEnd(7)}  ${title}${detail && `  ${detail}`}`

export const agentCommands = [
  deployCommand,
  changeCommand,
  changeAllCommand,
  statusCommand,
  logsCommand,
  healthCommand,
  restartCommand,
  rotateKeyCommand,
  removeCommand
]
