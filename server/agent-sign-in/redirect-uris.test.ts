import { expect, test } from 'vitest'
import { hostOf, isAmong, isRedirectUri } from './redirect-uris.ts'

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect?x=1',
  'http://localhost:33418/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:4711/',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
  'com.example.agent:/callback',
])('%s may be sent an answer', (uri) => expect(isRedirectUri(uri)).toBe(true))

test.each([
  'http://example.com/callback',
  'http://localhost.example.com/',
  'http://127.0.0.1@example.com/',
  'http://127.0.0.1:80@example.com/',
  'https://user@example.com/',
  'https://example.com/#part',
  'https://example.com\\@evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'ftp://example.com/',
  '/callback',
  '//example.com',
  'https://example.com/ x',
  `https://example.com/${'x'.repeat(500)}`,
])('%s may not', (uri) => expect(isRedirectUri(uri)).toBe(false))

test('an address is taken letter for letter, and only the port on the device itself is free', () => {
  const known = [
    'https://example.com/callback',
    'http://127.0.0.1:1/callback',
    'http://localhost/callback?a=1',
  ]
  for (const same of [...known, 'http://127.0.0.1:54321/callback', 'http://localhost:7/callback?a=1'])
    expect([same, isAmong(known, same)]).toEqual([same, true])
  for (const other of [
    'https://example.com/callback/',
    'https://example.com:8443/callback',
    'https://example.com/callback?x=1',
    'https://EXAMPLE.com/callback',
    'https://example.com/x/../callback',
    'http://127.0.0.1:54321/other',
    'http://localhost:7/callback',
    'http://127.0.0.1:1@example.com/callback',
    'http://127.0.0.1:54321/x/../callback',
    'http://127.0.0.1:99999/callback',
  ])
    expect([other, isAmong(known, other)]).toEqual([other, false])
})

test.each([
  ['https://claude.ai/callback', 'claude.ai'],
  ['http://127.0.0.1:4711/', '127.0.0.1:4711'],
  ['com.evil.app://claude.ai/callback', 'com.evil.app'],
  ['cursor://claude.ai/', 'cursor'],
])('an answer to %s goes to %s', (uri, who) => expect(hostOf(uri)).toBe(who))
