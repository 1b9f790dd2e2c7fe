#!/usr/bin/env node
// `mindgate`: runs the service, and what its operator does beside it.
import { runCommand } from './cli/program.ts'

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

await runCommand(process.argv.slice(2), process)
// A connection that a library still holds open must not keep a finished command from ending.
process.stdout.write('', () => process.exit())
