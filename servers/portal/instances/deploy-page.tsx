// One deploy, live: its page, and the stream that keeps it so.
import { streamSSE } from 'hono/streaming'
import { type Deploy, DeployResult } from '../../../schemas/deploy.ts'
import { InstanceResult } from '../../../schemas/instance.ts'
import { getOneDeploy } from '../../../src/instances/deploy/operations.ts'
import { getInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { ConsolePage } from '../frames.tsx'
import { run, type Visit } from '../visit.ts'
import { DeployProgress } from './deploy-progress.tsx'
import { INSTANCES, instancePath } from './paths.ts'

export async function showDeploy(visit: Visit): Promise<Response> {
  const { c } = visit
  const path = pathOf(visit)
  const deploy = await read(visit, path)
  const { instanceId } = path
  const { data: instance } = await run(visit, getInstanceOperation, InstanceResult, { instanceId })
  return page(
    c,
    <ConsolePage
      c={c}
      title={`Deploy on ${instance.name}`}
      current="instances"
      breadcrumbs={[
        { href: INSTANCES, label: 'Servers' },
        { href: instancePath(instanceId), label: instance.name }
      ]}
    >
      <DeployProgress instanceId={instanceId} deploy={deploy} />
    </ConsolePage>
  )
}

/** How often the row is looked at; a process that follows the deploy looks at the server about as often. */
const LOOK_EVERY_MS = 500
/** A browser asks again by itself. So a session that ended ends this, and a process that stops needn't wait for it. */
const STREAM_FOR_MS = 10_000
const ASK_AGAIN_AFTER_MS = 200

/** Sends the page's living part whenever it changed; `end` comes with the last one. */
export async function streamDeploy(visit: Visit): Promise<Response> {
  const { c } = visit
  const path = pathOf(visit)
  let deploy = await read(visit, path)
  const endsAt = performance.now() + STREAM_FOR_MS
  // Proxies would otherwise hold back what they think too little to send.
  c.header('X-Accel-Buffering', 'no')
  c.header('Cache-Control', 'no-store')
  return streamSSE(c, async (stream) => {
    for (let sent = ''; !stream.aborted; deploy = await read(visit, path)) {
      const data = JSON.stringify({ html: await htmlOf(path.instanceId, deploy) })
      const event = deploy.state === 'running' ? 'progress' : 'end'
      if (data !== sent) await stream.writeSSE({ event, data, retry: ASK_AGAIN_AFTER_MS })
      sent = data
      if (event === 'end' || performance.now() > endsAt) return
      await stream.sleep(LOOK_EVERY_MS)
    }
  })
}

const pathOf = ({ c }: Visit) => ({
  instanceId: c.req.param('instanceId') ?? '',
  deployId: c.req.param('deployId') ?? ''
})

async function read(visit: Visit, path: ReturnType<typeof pathOf>): Promise<Deploy> {
  const { data } = await run(visit, getOneDeploy, DeployResult, path)
  return data
}

const htmlOf = async (instanceId: string, deploy: Deploy): Promise<string> =>
  String(await (<DeployProgress instanceId={instanceId} deploy={deploy} />))
