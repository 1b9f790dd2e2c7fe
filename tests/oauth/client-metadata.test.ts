// What a client says of itself, as we read it, before the library judges it a second time.
import { describe, expect, it } from 'vitest'
import { ClientMetadata, destinationOf } from '../../servers/oauth/client-metadata.ts'

const withRedirects = (...uris: string[]) => ClientMetadata.safeParse({ redirect_uris: uris })

describe('an address that answers are sent to', () => {
  it.each([
    'https://app.example/callback',
    'http://localhost:4711/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:80/callback',
    'cursor://anysphere.cursor-mcp/oauth'
  ])('may be %s', (uri) => {
    expect(withRedirects(uri).success).toBe(true)
  })

  it.each([
    'http://app.example/callback',
    'https://localhost/callback',
    'https://127.0.0.1/callback',
    'https://[::1]/callback',
    'https://ada@app.example/callback',
    'https://:secret@app.example/callback',
    'https://app.example/callback#here',
    'https://*.app.example/callback',
    'https://app.example\\callback',
    'https://app.example/call back',
    'https://äpp.example/callback',
    'javascript:alert(1)',
    'mailto:ada@app.example',
    '/callback'
  ])('is not %s', (uri) => {
    expect(withRedirects(uri).error?.issues.map(({ path }) => path)).toEqual([['redirect_uris', 0]])
  })
})

it.each([
  ['web', ['https://app.example/a', 'https://app.example/b']],
  ['native', ['https://app.example/a', 'http://localhost/b']],
  ['native', ['cursor://a', 'https://app.example/b']]
])('a client is %s that is answered at %s', (type, uris) => {
  expect(withRedirects(...uris).data).toMatchObject({ application_type: type })
})

it.each([
  ['https://app.example:8443/callback', 'app.example:8443'],
  ['http://localhost:4711/callback', 'an app on your own computer'],
  ['http://[::1]/callback', 'an app on your own computer'],
  ['cursor://anysphere.cursor-mcp/oauth', 'the app that opens cursor:// on your device']
])('whoever decides reads %s as “%s”', (uri, text) => {
  expect(destinationOf(uri)).toBe(text)
})
