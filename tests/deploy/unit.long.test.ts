// The unit as systemd runs it: the lines of docs/operating.md as they are typed, on a machine that is a container here, with
// systemd as its first process and with what the README says that a machine needs.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  copySources,
  FIRST_BUILD_MS,
  isDockerThere,
  linesWith,
  MUCH_OUTPUT,
  withCall
} from './support/docker.ts'
import { makeFolder } from './support/kit.ts'

const MACHINE = `FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends systemd systemd-sysv g++ make python3 curl
# The image has Node's headers.
ENV npm_config_nodedir=/usr/local
WORKDIR /clone
COPY clone .
STOPSIGNAL SIGRTMIN+3
# Its own control groups are handed to it to read.
CMD grep ' cgroup' /proc/mounts | while read -r _ at _; do mount -o remount,bind,rw "$at"; done; exec /lib/systemd/systemd
`
const TAG = 'mindgate-test-machine'
/** What systemd has as the first process, to keep services from each other. */
const RIGHTS = [
  ...['SYS_ADMIN', 'SYS_PTRACE'].map((right) => `--cap-add=${right}`),
  ...['seccomp', 'apparmor', 'systempaths'].map((one) => `--security-opt=${one}=unconfined`)
]

describe.runIf(isDockerThere)('the unit, by systemd', () => {
  const { path: folder, remove } = makeFolder()
  let machine = ''
  let key = ''

  const docker = async (...args: string[]) =>
    (await promisify(execFile)('docker', args, MUCH_OUTPUT)).stdout.trim()
  const typed = (script: string) => docker('exec', machine, 'bash', '-euo', 'pipefail', '-c', script)

  beforeAll(async () => {
    copySources(join(folder, 'clone'))
    writeFileSync(join(folder, 'Dockerfile'), MACHINE)
    await docker('build', '--tag', TAG, folder)
    const places = ['--cgroupns=private', '--tmpfs=/run', '--tmpfs=/tmp:exec']
    machine = await docker('run', '--detach', ...RIGHTS, ...places, TAG)
    await vi.waitUntil(async () => (await typed('systemctl is-system-running || true')) === 'running', {
      timeout: 30_000,
      interval: 500
    })
  }, FIRST_BUILD_MS)
  afterAll(async () => {
    if (machine) await docker('rm', '--force', machine)
    await docker('image', 'rm', '--force', TAG)
    remove()
  })

  it('leads from nothing to the first customer', { timeout: FIRST_BUILD_MS }, async () => {
    const { before, call } = withCall(linesWith('systemctl enable --now mindgate'))
    key = /pkt_\w+/.exec(await typed(before))?.[0] ?? ''
    expect(JSON.parse(await typed(call(key)))).toMatchObject({
      success: true,
      data: { companyName: 'Engines' }
    })
  })

  it('lets the service write to its own folder alone, as a user without rights', async () => {
    const pid = await typed('systemctl show mindgate --property MainPID --value')
    const inside = `nsenter --target ${pid} --mount`
    expect(await typed(`stat -c %U /proc/${pid}`)).toBe('mindgate')
    expect(await typed(`grep CapBnd /proc/${pid}/status`)).toMatch(/\t0+$/)
    expect(await typed(`${inside} touch /opt/mindgate/x 2>&1 || true`)).toContain('Read-only file system')
    expect(await typed('stat -c "%a %U" /var/lib/mindgate /etc/mindgate.env')).toBe('700 mindgate\n600 root')
  })

  it('starts it again when it is killed, and ends it in order', async () => {
    await typed('systemctl kill --signal KILL mindgate')
    const ready = () => typed('curl -s http://127.0.0.1:8080/readyz || true')
    await vi.waitUntil(async () => (await ready()) === '{"status":"ready"}', {
      timeout: 30_000,
      interval: 200
    })
    await typed('systemctl stop mindgate')
    const shown = await typed('systemctl show mindgate --property Result,ExecMainStatus,NRestarts')
    expect(shown.split('\n').sort()).toEqual(['ExecMainStatus=0', 'NRestarts=1', 'Result=success'])
    expect(await typed('journalctl --unit mindgate')).not.toContain(key)
  })
})
