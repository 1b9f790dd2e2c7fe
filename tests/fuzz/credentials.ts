// Keys that open, keys that don't, and texts that only look like keys.
import fc from 'fast-check'
import type { FuzzFixture } from './fixture.ts'

type Headers = Record<string, string>

/** Headers that say who calls; mostly somebody who may. */
export function credentials({ keys, marker }: FuzzFixture): fc.Arbitrary<Headers> {
  const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` })
  return fc.oneof(
    { arbitrary: fc.constant(bearer(keys.good)), weight: 30 },
    { arbitrary: fc.constantFrom(bearer(keys.readOnly), { 'X-API-Key': keys.good }), weight: 2 },
    {
      arbitrary: fc.constantFrom<Headers>(
        {},
        bearer(keys.revoked),
        bearer(keys.expired),
        bearer(marker),
        bearer(`pkt_${marker}`),
        bearer(`${keys.good}x`),
        bearer(keys.good.slice(0, -1)),
        { 'X-API-Key': marker },
        { 'X-API-Key': '' },
        { Authorization: '' },
        { Authorization: marker },
        { Authorization: `Basic ${marker}` },
        { Authorization: `bearer  ${keys.good} ` },
        { Authorization: `Bearer ${keys.good}, Bearer ${marker}` },
        { Authorization: `Bearer ${'x'.repeat(8_000)}` },
        { Authorization: 'Bearer \xe9\xff' },
        { Authorization: `Bearer ${marker}`, 'X-API-Key': keys.good }
      ),
      weight: 2
    }
  )
}

/** Secrets where they don't belong: the service neither reads nor repeats them. */
export const misplacedSecrets = ({ keys, marker }: FuzzFixture): fc.Arbitrary<Headers> =>
  fc.constantFrom(
    { Cookie: `session=${marker}; key=${keys.good}` },
    { 'User-Agent': marker },
    { Referer: `https://example.com/?key=${keys.good}` },
    { 'X-Forwarded-For': marker },
    { 'Proxy-Authorization': `Basic ${marker}` }
  )

/** The objects with secrets in members that no operation has: a client that sends too much is not to be quoted. */
export const carryingSecrets = (
  { keys, marker }: FuzzFixture,
  objects: fc.Arbitrary<unknown>
): fc.Arbitrary<unknown> =>
  objects.map((value) => ({ password: marker, ...Object(value), apiKey: keys.good, token: marker }))
