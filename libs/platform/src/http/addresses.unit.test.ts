import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { clientAddress, fromThisMachine, plainAddress, rateAddress, trustOf } from './addresses.js';
import { OwnOrigins } from './own-origins.js';

const request = (peer: string, headers: Record<string, string> = {}): IncomingMessage =>
  ({ socket: { remoteAddress: peer }, connection: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;
const client = (proxies: readonly string[], peer: string, forwarded?: string): string =>
  clientAddress(request(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), trustOf(proxies));

describe('forwarded addresses', () => {
  test.each<[string, readonly string[], string, string | undefined, string]>([
    ['nobody is trusted: the peer', [], '10.0.0.9', '1.1.1.1', '10.0.0.9'],
    ['an address', ['10.0.0.9'], '10.0.0.9', '1.1.1.1', '1.1.1.1'],
    ['another address', ['10.0.0.8'], '10.0.0.9', '1.1.1.1', '10.0.0.9'],
    ['a network', ['10.0.0.0/8'], '10.4.5.6', '1.1.1.1', '1.1.1.1'],
    ['a network, the peer as an IPv4-mapped address', ['10.0.0.0/8'], '::ffff:10.4.5.6', '1.1.1.1', '1.1.1.1'],
    ['no header', ['10.0.0.0/8'], '10.4.5.6', undefined, '10.4.5.6'],
    ['two hops of ours', ['10.0.0.0/8'], '10.4.5.6', '1.1.1.1, 10.9.9.9', '1.1.1.1'],
    [
      'what the client wrote itself stands left of it',
      ['10.0.0.0/8'],
      '10.4.5.6',
      '9.9.9.9, 10.1.1.1, 1.1.1.1',
      '1.1.1.1',
    ],
    ['a client that names a proxy of ours', ['10.0.0.0/8'], '10.4.5.6', '10.7.7.7, 1.1.1.1', '1.1.1.1'],
    ['IPv6 behind IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['a name of proxy-addr', ['loopback'], '127.0.0.1', '1.1.1.1', '1.1.1.1'],
  ])('%s [HARD-208]', (_what, proxies, peer, forwarded, expected) => {
    expect(client(proxies, peer, forwarded)).toBe(expected);
  });

  test('a text that is no address stops the start [HARD-208]', () => {
    for (const wrong of ['ingress', '10.0.0.0/40', '10.0.0.x']) expect(() => trustOf([wrong])).toThrow(TypeError);
  });
});

describe('addresses under which rates count', () => {
  test('a /64 of IPv6 is one address, an IPv4-mapped IPv6 address is IPv4, the rest is one caller [HARD-314]', () => {
    expect(rateAddress('2001:db8:1:2:3:4:5:6')).toBe(rateAddress('2001:DB8:1:2:ffff::1'));
    expect(rateAddress('2001:db8:1:2::1')).not.toBe(rateAddress('2001:db8:1:3::1'));
    expect(['1.2.3.4', '::ffff:1.2.3.4', '2001:db8::1', 'fe80::1%eth0'].map(rateAddress)).toEqual([
      '1.2.3.4',
      '1.2.3.4',
      '2001:db8:0:0::/64',
      'fe80:0:0:0::/64',
    ]);
    expect(['', 'x'.repeat(90_000), '1.2.3.4:80'].map(rateAddress)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(['::ffff:1.2.3.4', '2001:DB8::1', 'user 7'].map(plainAddress)).toEqual(['1.2.3.4', '2001:db8::1', 'user 7']);
  });
});

describe('this machine', () => {
  test('is a loopback peer, by a loopback name, through no proxy [HARD-202]', () => {
    const made = (peer: string, host: string, more: Record<string, string> = {}): boolean =>
      fromThisMachine(request(peer, { host, ...more }));
    expect([
      made('127.0.0.1', 'localhost:8080'),
      made('::1', '[::1]:8080'),
      made('::ffff:127.0.0.1', '127.0.0.1'),
    ]).toEqual([true, true, true]);
    expect([
      made('127.0.0.1', 'evil.test:8080'),
      made('127.0.0.1', 'localhost.evil.test'),
      made('192.168.1.7', 'localhost:8080'),
      made('127.0.0.1', 'localhost:8080', { 'x-forwarded-for': '127.0.0.1' }),
      made('127.0.0.1', 'localhost:8080', { via: '1.1 proxy' }),
    ]).toEqual([false, false, false, false, false]);
  });
});

describe('own origins', () => {
  const origins = (more: Partial<ConstructorParameters<typeof OwnOrigins>[0]> = {}): OwnOrigins =>
    new OwnOrigins({ publicOrigins: [], corsOrigins: [], dev: false, port: 8080, socketPort: 0, ...more });

  test('in production the list alone: an origin equal to the Host is not ours [HARD-313]', () => {
    const listed = origins({ publicOrigins: ['https://exchange.example'], corsOrigins: ['https://partner.example'] });
    expect(listed.isOwn('https://exchange.example', 'rebound.evil.test')).toBe(true);
    expect(listed.isOwn('https://rebound.evil.test', 'rebound.evil.test')).toBe(false);
    expect(listed.isOwn('http://exchange.example', 'exchange.example')).toBe(false);
    expect(listed.isOwn('http://localhost:8080', 'localhost:8080')).toBe(false);
    expect(
      [listed.isOwn, listed.isKnown].map((admits) => admits.call(listed, 'https://partner.example', undefined)),
    ).toEqual([false, true]);
    expect(origins().isOwn('https://rebound.evil.test', 'rebound.evil.test')).toBe(false);
    expect([listed.isOwnHost('exchange.example'), listed.isOwnHost('evil.test'), listed.isOwnHost(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('on a demo install loopback names too, of the page that calls [HARD-313]', () => {
    const demo = origins({ dev: true });
    expect(demo.isOwn('http://localhost:5173', 'localhost:5173')).toBe(true);
    expect(demo.isOwn('http://127.0.0.1:8080', '127.0.0.1:8081')).toBe(true);
    expect(demo.isOwn('http://localhost:3000', 'localhost:8080')).toBe(false);
    expect(demo.isOwn('http://evil.test:8080', 'evil.test:8080')).toBe(false);
    expect(demo.isOwn('null', 'localhost:8080')).toBe(false);
  });

  test('the port of the sockets is named for names of ours only [HARD-313]', () => {
    expect(origins({ socketPort: 9000 }).socketOrigins('evil.test')).toEqual([]);
    expect(origins({ socketPort: 9000, publicOrigins: ['https://a.example'] }).socketOrigins('evil.test')).toContain(
      'wss://a.example:9000',
    );
    expect(origins({ socketPort: 9000, dev: true }).socketOrigins('localhost:8080')).toContain('ws://localhost:9000');
    expect(origins({ socketPort: 9000, dev: true }).socketOrigins('evil.test')).toEqual([]);
  });
});
