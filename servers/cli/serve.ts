import { Command } from '@commander-js/extra-typings'
import { loadConfig } from '../../src/config.ts'

export const serveCommand = () =>
  new Command('serve')
    .description('run the service until SIGTERM or Ctrl-C')
    .option('--json', 'accepted by every command; this one always answers with JSON')
    .addHelpText(
      'after',
      '\nThe first line on standard output is {"ready":true,"url":"http://…"}; logs go to standard error.\nThe environment configures it, see the README.\n\nExample:\n  $ PORT=8080 DATA_DIR=data mindgate serve'
    )
    .action(async () => {
      const config = loadConfig(process.env)
      endWithNpx()
      // Whatever answers HTTP is loaded for this command only: the others start sooner without them.
      const { serve } = await import('../main.ts')
      await serve(config)
    })

const LOOK_EVERY_MS = 250

/** npx doesn't hand signals on: without this the service would outlive the npx that was told to stop. */
function endWithNpx(): void {
  if (process.env.npm_command !== 'exec') return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
  look.unref()
}
