// What can be said of where a server is: it ends up in addresses, scripts and paths.
import { describe, expect, it } from 'vitest'
import { Host, HostKey, Root, Username } from '../../schemas/server-address.ts'
import { HOST_KEY } from '../support/instances.ts'

describe('the place of a server', () => {
  it.each([
    'vps1.example.com',
    'localhost',
    'a_b.example',
    '192.0.2.7',
    '2001:db8::7',
    'xn--bcher-kva.example'
  ])('can be %s', (host) => expect(Host.parse(host)).toBe(host))

  it('is compared without case', () => {
    expect(Host.parse('VPS1.Example.COM')).toBe('vps1.example.com')
  })

  it.each([
    '',
    'https://vps1.example.com',
    'vps1.example.com:22',
    'root@vps1.example.com',
    'two words',
    'a..b',
    '-option.example',
    'vps1.example.com.',
    '[2001:db8::7]',
    'fe80::1%eth0',
    '127.1',
    '2130706433',
    '0x7f000001',
    'vps1.example.com\n',
    `${'a'.repeat(64)}.example`
  ])('can’t be %j', (host) => expect(Host.safeParse(host).success).toBe(false))

  it.each([
    ['', ''],
    ['/srv/one', '/srv/one'],
    ['/srv/one/', '/srv/one']
  ])('has a root such as %j', (root, kept) => expect(Root.parse(root)).toBe(kept))

  it.each([
    'srv',
    '/',
    '//',
    '/srv/../etc',
    '/srv/.',
    '/a b',
    '/$(id)',
    "/it's",
    '/a;b',
    '/a\n',
    '/é',
    `/${'a'.repeat(200)}`
  ])('has no root such as %j', (root) => expect(Root.safeParse(root).success).toBe(false))

  it.each(['root', '_agent', 'deploy-1'])('has a user such as %s', (user) =>
    expect(Username.parse(user)).toBe(user)
  )

  it.each(['', 'Root', '1st', '-l', 'a b', 'a;b', 'a'.repeat(33)])('has no user such as %j', (user) =>
    expect(Username.safeParse(user).success).toBe(false)
  )

  it.each(['', 'SHA256:', 'MD5:aa:bb', HOST_KEY.slice(0, -1), `${HOST_KEY}=`])(
    'has no host key such as %j',
    (hostKey) => expect(HostKey.safeParse(hostKey).success).toBe(false)
  )
})
