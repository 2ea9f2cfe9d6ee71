import { describe, expect, test } from '@jest/globals';
import { relyingParty } from './relying-party.js';

const PORT = 8080;

describe('relying party of passkeys [AUTH-112]', () => {
  test('takes the host of the first public origin, and pages of this name or below it', () => {
    expect(
      relyingParty({
        publicOrigins: [
          'https://exchange.example',
          'https://console.exchange.example:8443',
          'https://other.example',
          'https://notexchange.example',
        ],
        dev: false,
        port: PORT,
      }),
    ).toEqual({
      id: 'exchange.example',
      origins: ['https://exchange.example', 'https://console.exchange.example:8443'],
    });
  });

  test('skips addresses, which browsers refuse as an id', () => {
    expect(
      relyingParty({ publicOrigins: ['http://192.0.2.1:8080', 'https://a.example'], dev: false, port: PORT }),
    ).toEqual({ id: 'a.example', origins: ['https://a.example'] });
    expect(relyingParty({ publicOrigins: ['http://[::1]:8080'], dev: true, port: PORT })).toBeNull();
  });

  test('is localhost on a demo install without public origins, and nothing elsewhere', () => {
    expect(relyingParty({ publicOrigins: [], dev: true, port: 9_001 })).toEqual({
      id: 'localhost',
      origins: ['http://localhost:9001'],
    });
    expect(relyingParty({ publicOrigins: [], dev: false, port: PORT })).toBeNull();
  });
});
