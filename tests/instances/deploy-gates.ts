// Holds the script of a deploy at each of its steps until the step is let go: what a step calls waits first.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { shellQuote } from '../../src/catalog/shell.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { DEPLOY_WAIT } from '../support/deploys.ts'

/** What the agent's commands and the shell's own belong to. */
const WAITS = {
  hermes: `case $1 in --version) wait_at version ;; mcp) wait_at mcp ;; gateway) wait_at telegram ;; doctor) wait_at health ;; chat) wait_at smoke ;; esac`,
  tar: 'wait_at backup',
  cp: `case $* in *SOUL.md.new) wait_at persona ;; *config-mcp.yaml*) ;; *config.yaml.new) wait_at configure ;; esac`,
  sync: 'wait_at finish'
} as const

export interface Gates {
  /** For CLI_AGENT_INSTALL. */
  install: string
  /** Resolves once the script has come to that step. */
  reached(step: string): Promise<void>
  open(step: string): void
  /** All of them, for the next deploy. */
  close(): void
  remove(): void
}

/** Gates for deploys that run one after the other; all closed. */
export function makeGates(): Gates {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-gates-'))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const waitAt = `wait_at() { : >${shellQuote(folder)}/at-$1; until [ -e ${shellQuote(folder)}/open-$1 ]; do sleep 0.05; done; }`
  for (const [name, waits] of Object.entries(WAITS)) {
    const real = name === 'hermes' ? '"$HOME/.local/bin/hermes-itself"' : `/bin/${name}`
    writeFileSync(join(bin, name), `#!/bin/sh\n${waitAt}\n${waits}\nexec ${real} "$@"\n`, { mode: 0o755 })
  }
  const script = join(folder, 'install.sh')
  writeFileSync(
    script,
    [
      waitAt,
      'wait_at install',
      standInInstall,
      'mv "$HOME/.local/bin/hermes" "$HOME/.local/bin/hermes-itself"',
      `cp ${shellQuote(bin)}/* "$HOME/.local/bin/"`
    ].join('\n')
  )
  return {
    install: `sh ${shellQuote(script)}`,
    reached: (step) =>
      vi.waitFor(() => {
        if (!existsSync(join(folder, `at-${step}`))) throw new Error(`The script hasn’t come to ${step}`)
      }, DEPLOY_WAIT),
    open: (step) => writeFileSync(join(folder, `open-${step}`), ''),
    close() {
      for (const name of readdirSync(folder)) {
        if (/^(?:at|open)-/.test(name)) rmSync(join(folder, name))
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
