import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatScript, followScript, readyScript, stopScript } from '../../src/catalog/chat.ts'
import { configYaml, persona, telegramEnvironment } from '../../src/catalog/configuration.ts'
import {
  cleanScript,
  deployFiles,
  lookScript,
  prepareScript,
  readDeployStatus,
  startScript,
  statusScript
} from '../../src/catalog/deploy.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import { shellQuote } from '../../src/catalog/shell.ts'

const settings = {
  deployId: 'dep_1',
  businessName: 'Mueller',
  baseUrl: 'https://ai.example.com/v1',
  apiKey: 'sk-1',
  model: 'auto',
  installCommand: 'true',
  isReinstall: false
}

describe('the agent’s configuration', () => {
  it('holds the settings of the specification', () => {
    expect(configYaml(settings, { url: 'https://x.example/api/mcp', token: 'mct_1' })).toBe(`\
# Written by deploy dep_1; the next deploy replaces this file.
model:
  provider: custom
  base_url: "https://ai.example.com/v1"
  api_key: "sk-1"
  default: "auto"
security:
  tirith_enabled: false
  allow_lazy_installs: false
memory:
  nudge_interval: 0
skills:
  creation_nudge_interval: 0
approvals:
  timeout: 5
clarify:
  timeout: 5
mcp_servers:
  mindgate:
    url: "https://x.example/api/mcp"
    headers:
      Authorization: "Bearer mct_1"
    connect_timeout: 10
    timeout: 60
`)
  })

  it('stays one scalar, whatever a value holds', () => {
    const hostile = 'a"\n  provider: evil # \\ \u0085\u2028\ufeff\u007f: {}'
    const lines = configYaml({ ...settings, model: hostile }).split('\n')
    expect(lines[5]).toBe(String.raw`  default: "a\"\n  provider: evil # \\ \u0085\u2028\ufeff\u007f: {}"`)
    expect(lines).toHaveLength(18)
  })

  it('names the business in the persona, as one plain line', () => {
    expect(persona(' Müller\r\n\u202e & \u200bSöhne\0 ')).toContain(
      '# Müller & Söhne\n\nYour name is Müller & Söhne.'
    )
    expect(persona('x'.repeat(50_000)).length).toBeLessThanOrEqual(20_000)
  })

  it('lets a person or a group talk to the bot, and nobody else', () => {
    expect(telegramEnvironment({ botToken: '1:a_b-c', chatId: '42' })).toBe(
      'TELEGRAM_BOT_TOKEN=1:a_b-c\nTELEGRAM_ALLOWED_USERS=42\nTELEGRAM_HOME_CHANNEL=42\n'
    )
    expect(telegramEnvironment({ botToken: '1:a', chatId: '-42' })).toBe(
      'TELEGRAM_BOT_TOKEN=1:a\nTELEGRAM_GROUP_ALLOWED_CHATS=-42\nTELEGRAM_HOME_CHANNEL=-42\n'
    )
    expect(() => telegramEnvironment({ botToken: '1:a\nX=1', chatId: '42' })).toThrow(
      /^The Telegram bot token has/
    )
    expect(() => telegramEnvironment({ botToken: '1:a', chatId: '@all' })).toThrow(
      'The Telegram chat id is not a number.'
    )
  })
})

describe('the app’s scripts', () => {
  it('lie at the specification’s paths, or all of them below a root', () => {
    expect(appPaths('')).toMatchObject({ marker: '/var/lib/cli-agent/catalog-deploy-complete', home: '' })
    const { app, ...paths } = appPaths('/srv/one')
    expect(app.program).toBe('hermes')
    for (const path of Object.values(paths)) expect(path).toMatch(/^\/srv\/one\//)
  })

  it('quote any word', () => {
    const words = fc.sample(fc.string({ unit: 'binary' }), 300).map((word) => word.toWellFormed())
    const source = words.map((word) => `printf '%s\\000' ${shellQuote(word)}\n`).join('')
    const printed = execFileSync('/bin/sh', { input: source }).toString().split('\0').slice(0, -1)
    expect(printed).toEqual(words.map((word) => word.replaceAll('\0', '')))
  })

  const paths = appPaths('/srv/o n’e')
  const stageTwo = deployFiles(
    { ...settings, businessName: `'; rm -rf / #`, baseUrl: `https://x/'"$(id)` },
    paths
  ).find(({ path }) => path.endsWith('/deploy.sh'))
  const run = { instance: 'ins_1', run: 'chx_1-1' }
  const scripts = {
    chat: chatScript(paths, { ...run, timeoutMs: 55_000, limitMs: 60_000, thread: 'ins_1' }),
    follow: followScript(paths, { ...run, offset: 0, timeoutMs: 1_000 }),
    stop: stopScript(paths, run),
    ready: readyScript(paths, { instance: 'ins_1' }),
    prepare: prepareScript(paths, 'dep_1', { instance: 'ins_1', customer: 'cus_1', former: 'keep' }),
    look: lookScript(paths),
    start: startScript(paths, 'dep_1'),
    status: statusScript(paths, 'dep_1', 0),
    clean: cleanScript(paths, 'dep_1'),
    deploy: new TextDecoder().decode(stageTwo?.content)
  }

  for (const shell of ['/bin/dash', '/bin/bash'].filter((path) => existsSync(path))) {
    it.each(Object.entries(scripts))(`are well-formed for ${shell}: %s`, (_, source) => {
      const args = shell.endsWith('bash') ? ['--posix', '-n'] : ['-n']
      expect(execFileSync(shell, args, { input: source, stdio: 'pipe' }).toString()).toBe('')
    })
  }

  it('stay clear of what isn’t POSIX', () => {
    for (const source of Object.values(scripts)) {
      expect(source).not.toMatch(/\[\[ |\bfunction |\blocal |<<<|&>|^\s*source |\bpipefail\b|==[^=\n]*\]/m)
    }
  })

  it('don’t carry their comments over', () => {
    for (const source of Object.values(scripts)) expect(source).not.toMatch(/^\s*#(?!!)/m)
  })

  it('have an answer that is refused when it is none', () => {
    for (const answer of ['', 'state running\n', 'log 0 0\n', '\nlog 0 0\n'])
      expect(() => readDeployStatus(Buffer.from(answer))).toThrow('can’t be read')
  })
})
