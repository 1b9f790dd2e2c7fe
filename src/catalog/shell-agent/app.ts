// An agent of our own, without hands: for who wants the memory in a chat, and nothing that works on a server by itself.
import { readFileSync } from 'node:fs'
import type { App } from '../app.ts'
import { assignments } from '../shell.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const shellAgent: App = {
  id: 'shell-agent',
  title: 'Small agent',
  about: 'talks and remembers, and touches nothing there',
  program: 'shell-agent',
  homeFolder: '.shell-agent',
  homeVariable: 'SHELL_AGENT_HOME',
  leastVersion: '1.0.0',
  hasHands: false,
  installCommand: assignments({ agent: read('shell-agent.sh') }) + read('install.sh')
}
