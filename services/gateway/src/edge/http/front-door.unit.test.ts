import { describe, expect, test } from '@jest/globals';
import { securityHeaders } from './front-door.js';

describe('security headers [EDGE-008]', () => {
  test('name the socket origins of the host that a request names', () => {
    const headers = securityHeaders((host) => (host === undefined ? "'self'" : `'self' wss://${host}`));
    const policy = (host?: string): string =>
      new Map(headers(host)).get('Content-Security-Policy') ?? 'no policy was set';
    expect(policy('a.example')).toContain("connect-src 'self' wss://a.example;");
    expect(policy('b.example')).toContain("connect-src 'self' wss://b.example;");
    expect(policy()).toContain("connect-src 'self';");
    expect(policy('a.example')).toContain("frame-ancestors 'none'");
  });

  test('are made once for a host, and hosts from outside do not grow them', () => {
    let made = 0;
    const headers = securityHeaders((host) => {
      made += 1;
      return `'self' wss://${host}`;
    });
    for (let times = 0; times < 3; times += 1) headers('a.example');
    expect(made).toBe(1);
    for (let at = 0; at < 1_000; at += 1) headers(`${at}.example`);
    expect(headers('a.example').length).toBeGreaterThan(8);
  });
});
