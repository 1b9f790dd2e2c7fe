import { loadConfig } from '../../src/config.ts'
import { command } from './command.ts'

export const serveCommand = command('serve', {
  about: 'run the service until SIGTERM or Ctrl-C',
  note: 'The first line on standard output is {"ready":true,"url":"http://…"}; logs go to standard error.\nThe environment configures it, see the README.',
  example: 'PORT=8080 DATA_DIR=data mindgate serve',
  options: (bare) => bare.option('--json', 'accepted by every command; this one always answers with JSON'),
  hasJson: false,
  async run() {
    const config = loadConfig(process.env)
    endWithNpx()
    // Whatever answers HTTP is loaded for this command only: the others start sooner without them.
    const { serve } = await import('../main.ts')
    await serve(config)
  }
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
