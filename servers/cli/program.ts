import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { VERSION } from '../../src/version.ts'
import { helpText, newCommand } from './command.ts'
import { reportFailure } from './failure.ts'
import type { Terminal } from './output.ts'

/** In the order of the help. A command loads what it needs of the service, and nothing that only others need. */
export const COMMANDS: Readonly<Record<string, (terminal: Terminal) => Promise<CommandUnknownOpts>>> = {
  serve: async (terminal) => (await import('./serve.ts')).serveCommand(terminal),
  partner: async (terminal) => (await import('./partner.ts')).partnerCommand(terminal),
  customer: async (terminal) => (await import('./customer.ts')).customerCommand(terminal),
  key: async (terminal) => (await import('./key.ts')).keyCommand(terminal),
  client: async (terminal) => (await import('./client.ts')).clientCommand(terminal),
  token: async (terminal) => (await import('./key.ts')).tokenCommand(terminal),
  credits: async (terminal) => (await import('./credits.ts')).creditsCommand(terminal),
  memory: async (terminal) => (await import('./memory.ts')).memoryCommand(terminal),
  statement: async (terminal) => (await import('./statement.ts')).statementCommand(terminal),
  plan: async (terminal) => (await import('./plan.ts')).planCommand(terminal),
  usage: async (terminal) => (await import('./usage.ts')).usageCommand(terminal),
  agent: async (terminal) => (await import('./agent.ts')).agentCommand(terminal),
  instance: async (terminal) => (await import('./instance.ts')).instanceCommand(terminal),
  provider: async (terminal) => (await import('./provider.ts')).providerCommand(terminal),
  mail: async (terminal) => (await import('./mail.ts')).mailCommand(terminal),
  secrets: async (terminal) => (await import('./secrets.ts')).secretsCommand(terminal),
  backup: async (terminal) => (await import('./backup.ts')).backupCommand(terminal),
  restore: async (terminal) => (await import('./restore.ts')).restoreCommand(terminal),
  'migrate-to': async (terminal) => (await import('./migrate-to.ts')).migrateToCommand(terminal),
  doctor: async (terminal) => (await import('./doctor.ts')).doctorCommand(terminal)
}

/** Runs the command that `args` name to its end, and leaves its exit code at the terminal. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const about = 'Partner API for resellers of AI voice agents, as REST and as MCP tools.'
  const note = 'Exit codes: 0 done, 1 failed, 2 misused. NO_COLOR turns colours off.'
  const program = newCommand('mindgate', about, terminal)
    .version(VERSION)
    .addHelpText('after', helpText('mindgate doctor', note))
  const [named = ''] = args
  // Anything but a command's name, such as --help, wants to know of all.
  for (const name of Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS)) {
    const command = await COMMANDS[name]?.(terminal)
    if (command) program.addCommand(command)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    terminal.exitCode = reportFailure(error, terminal)
  }
}
