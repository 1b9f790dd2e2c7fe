#!/usr/bin/env node
// `mindgate`: runs the service, and what its operator does beside it.
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { VERSION } from '../src/version.ts'
import { agentCommand } from './cli/agent.ts'
import { creditsCommand } from './cli/credits.ts'
import { doctorCommand } from './cli/doctor.ts'
import { reportFailure } from './cli/failure.ts'
import { keyCommand } from './cli/key.ts'
import { mailCommand } from './cli/mail.ts'
import { memoryCommand } from './cli/memory.ts'
import { partnerCommand } from './cli/partner.ts'
import { planCommand } from './cli/plan.ts'
import { providerCommand } from './cli/provider.ts'
import { serveCommand } from './cli/serve.ts'
import { tokenCommand } from './cli/token.ts'

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const program = new Command('mindgate')
  .description('Partner API for resellers of AI voice agents, as REST and as MCP tools.')
  .version(VERSION)
  .addCommand(serveCommand())
  .addCommand(partnerCommand())
  .addCommand(keyCommand())
  .addCommand(tokenCommand())
  .addCommand(creditsCommand())
  .addCommand(memoryCommand())
  .addCommand(planCommand())
  .addCommand(agentCommand())
  .addCommand(providerCommand())
  .addCommand(mailCommand())
  .addCommand(doctorCommand())
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 misused. NO_COLOR turns colours off.\n\nExample:\n  $ mindgate doctor'
  )

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
