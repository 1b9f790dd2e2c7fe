// A deploy that is killed at points of its script and started again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startScript } from '../../src/catalog/deploy.ts'
import { giveInit } from '../support/agent/stand-in.ts'
import { API_KEY, BOT_TOKEN, type Deployer, MCP_TOKEN, stepStates } from './deploying.ts'
import type { Gateway } from './gateway.ts'

/** Kills it once at each of them: at its `start`, and `before-` and `after-` a step. */
export async function expectEndsRight(
  deployer: Deployer,
  gateway: Gateway,
  points: readonly string[]
): Promise<void> {
  giveInit({ root: deployer.box.root, home: deployer.box.paths.home })
  const settings = {
    mcp: { url: gateway.mcpUrl, token: MCP_TOKEN },
    telegram: { botToken: BOT_TOKEN, chatId: '77' }
  }
  const dieOnce = `die_once() {
  case ' ${points.join(' ')} ' in *" $1 "*) [ -e "$dir/died-$1" ] || { : >"$dir/died-$1"; kill -KILL $$; } ;; esac
}
`
  await deployer.upload(settings, (source) =>
    (dieOnce + source)
      .replace(/^ {2}"step_\$1"$/m, '  die_once "before-$1"\n  "step_$1"\n  die_once "after-$1"')
      .replace(/^take_over .*$/m, '$&\ndie_once start')
  )
  const states: string[] = []
  let status = await deployer.status()
  while (status.state !== 'succeeded') {
    await deployer.box.run(startScript(deployer.box.paths, 'dep_1'))
    status = await deployer.ended()
    states.push(status.state)
  }
  expect(states.filter((state) => state === 'died')).toHaveLength(points.length)
  expect(stepStates(status)).toMatchObject({
    mcp: 'done',
    service: 'done',
    telegram: 'done',
    smoke: 'done',
    finish: 'done'
  })
  expect(deployer.marker()).toBe('dep_1')
  expect(readFileSync(join(deployer.agentHome, 'config.yaml'), 'utf8')).toContain(API_KEY)
  expect(deployer.files().filter((file) => /\.yaml$|\.env$|install\.sh|former/.test(file))).toEqual([])
}
