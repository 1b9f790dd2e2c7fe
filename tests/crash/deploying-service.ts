// A service that follows deploys and kills its own process at a chosen point of one. Configured by the environment like
// the real one. It opens when it is told so by a line on standard input, which names the point; an empty one lets it live.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createApp } from '../../servers/app.ts'
import { listen } from '../../servers/listener.ts'
import type { AiKeys } from '../../src/ai-gateway/keys.ts'
import { script } from '../../src/catalog/shell.ts'
import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { createDeploys } from '../../src/instances/deploy/deploys.ts'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import { startSweeps } from '../../src/jobs/sweeps.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { QUICK } from '../instances/deploy-fixture.ts'
import type { DeployPoint } from './deploy-process.ts'

const [deadly]: unknown[] = await once(createInterface({ input: process.stdin }), 'line')

const dieAt = (point: DeployPoint) => {
  if (point === deadly) process.kill(process.pid, 'SIGKILL')
}

const config = { ...loadConfig(process.env), deployTimes: QUICK }
const service = await openService(config, createLog('info'))

/** Each script ends with a file of its own in the catalog. */
const isScript = (text: string, name: string) => text.endsWith(script(name))

const ssh: SshConnections = {
  ...service.ssh,
  async run(target, run) {
    const outcome = await service.ssh.run(target, run)
    if (isScript(run.script, 'deploy-prepare')) dieAt('connected')
    if (isScript(run.script, 'deploy-start')) dieAt('started')
    if (isScript(run.script, 'deploy-clean')) dieAt('cleaned')
    return outcome
  },
  async writeFile(target, file) {
    await service.ssh.writeFile(target, file)
    dieAt(file.path.endsWith('deploy.sh') ? 'uploaded' : 'half uploaded')
  }
}

const aiKeys: AiKeys = {
  ...service.aiKeys,
  async mint(request) {
    dieAt('alias noted')
    const key = await service.aiKeys.mint(request)
    dieAt('minted')
    return key
  },
  async revoke(alias) {
    await service.aiKeys.revoke(alias)
    dieAt('revoked')
  }
}

/** Right after the row tells of a phase. */
const database: Database = {
  ...service.database,
  async transaction(work) {
    const result = await service.database.transaction(work)
    const phase: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'phase') : ''
    if (phase === 'preparing') dieAt('taken')
    if (phase === 'uploaded') dieAt('upload noted')
    if (phase === 'running') dieAt('start noted')
    if (phase === 'succeeded') dieAt('success noted')
    return result
  }
}

const deploys = createDeploys({ ...service, ssh, aiKeys, database })
const { url } = await listen(createApp({ ...service, deploys }).fetch, config)
deploys.start(config.publicUrl ?? url)
startSweeps(service.database, config.retention, service.log)
process.stdout.write(`${url}\n`)
