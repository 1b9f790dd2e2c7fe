#!/usr/bin/env node
// `mindgate`: runs the service, and what its operator does beside it.
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { VERSION } from '../src/version.ts'
import { reportFailure } from './cli/failure.ts'

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

/** In the order of the help. A command loads what it needs of the service, and nothing that only others need. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandUnknownOpts>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand(),
  partner: async () => (await import('./cli/partner.ts')).partnerCommand(),
  key: async () => (await import('./cli/key.ts')).keyCommand(),
  token: async () => (await import('./cli/token.ts')).tokenCommand(),
  credits: async () => (await import('./cli/credits.ts')).creditsCommand(),
  memory: async () => (await import('./cli/memory.ts')).memoryCommand(),
  plan: async () => (await import('./cli/plan.ts')).planCommand(),
  agent: async () => (await import('./cli/agent.ts')).agentCommand(),
  instance: async () => (await import('./cli/instance.ts')).instanceCommand(),
  provider: async () => (await import('./cli/provider.ts')).providerCommand(),
  mail: async () => (await import('./cli/mail.ts')).mailCommand(),
  backup: async () => (await import('./cli/backup.ts')).backupCommand(),
  restore: async () => (await import('./cli/restore.ts')).restoreCommand(),
  doctor: async () => (await import('./cli/doctor.ts')).doctorCommand()
}

const program = new Command('mindgate')
  .description('Partner API for resellers of AI voice agents, as REST and as MCP tools.')
  .version(VERSION)
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 misused. NO_COLOR turns colours off.\n\nExample:\n  $ mindgate doctor'
  )

const [named = ''] = process.argv.slice(2)
// Anything but a command's name, such as --help, wants to know of all.
for (const name of Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS)) {
  const command = await COMMANDS[name]?.()
  if (command) program.addCommand(command)
}

try {
  forEachCommand(program, (command) => command.exitOverride().showHelpAfterError('(--help shows how)'))
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportFailure(error)
}
// A connection that a library still holds open must not keep a finished command from ending.
process.stdout.write('', () => process.exit())

/** Commander doesn't hand these settings on to commands that were added ready-made. */
function forEachCommand(command: CommandUnknownOpts, act: (command: CommandUnknownOpts) => void): void {
  act(command)
  for (const child of command.commands) forEachCommand(child, act)
}
