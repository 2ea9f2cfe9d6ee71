import { Buffer } from 'node:buffer';
import { CHAINS, type ChainName } from '@bourse/contract';
import { describe, expect, test } from '@jest/globals';
import { bech32m } from '@scure/base';
import fc from 'fast-check';
import { addressOfKey, destinationOf, isAddress, isMemo, normalAddress } from './index.js';

const key = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Published addresses, each with its source. */
const PUBLISHED: readonly (readonly [chain: ChainName, address: string, source: string])[] = [
  ['bitcoin', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'BIP-84, test vectors, first receiving address'],
  ['bitcoin', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g', 'BIP-84, second receiving address'],
  ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'BIP-173, examples'],
  ['bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'BIP-173, P2WSH'],
  [
    'bitcoin',
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    'BIP-86, first receiving address (taproot)',
  ],
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'coinbase of the genesis block'],
  ['bitcoin', '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', 'BIP-49, form of P2SH-P2WPKH of the main network'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'EIP-55, test cases'],
  ['ethereum', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'EIP-55, test cases'],
  ['ethereum', '0x52908400098527886E0F7030069857D2E4169EE7', 'EIP-55, all capitals'],
  ['ethereum', '0xde709f2102306220921060314715629080e2fb77', 'EIP-55, all small'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'contract of USDT on TRON'],
  ['tron', 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', 'TRON developer documentation, Account'],
  ['ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'XRP Ledger documentation, genesis account'],
  ['ripple', 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn', 'XRP Ledger documentation, Accounts'],
  ['ripple', 'X7gJ5YK8abHf2eTPWPFHAAot8Knck11QGqmQ7a6a3Z8PJvk', 'ripple-address-codec, X-address of the main network'],
  ['litecoin', 'LQTpS3VaYTjCr4s9Y1t5zbeY26zevf7Fb3', 'Trust Wallet core, Litecoin legacy'],
  ['dogecoin', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', 'Dogecoin, address of a key hash'],
  [
    'cardano',
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'CIP-19, type 0',
  ],
  [
    'cardano',
    'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
    'CIP-19, type 1',
  ],
  ['cardano', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8', 'CIP-19, type 6'],
  ['cardano', 'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx', 'CIP-19, type 7'],
];

describe('addresses', () => {
  test.each(PUBLISHED)('%s %s is an address (%s) [CHAIN-001]', (chain, address) => {
    expect(isAddress(chain, address)).toBe(true);
  });

  test.each(PUBLISHED)('%s %s with one character changed is none [CHAIN-001]', (chain, address) => {
    // Letters of one case carry no checksum on Ethereum.
    if (
      chain === 'ethereum' &&
      (address.slice(2) === address.slice(2).toLowerCase() || address.slice(2) === address.slice(2).toUpperCase())
    ) {
      expect(isAddress(chain, `${address}0`)).toBe(false);
      return;
    }
    const at = address.length - 4;
    const other = address[at] === 'a' ? 'c' : address[at] === 'A' ? 'C' : /[A-Z]/.test(address[at] ?? '') ? 'A' : 'a';
    expect(isAddress(chain, address.slice(0, at) + other + address.slice(at + 1))).toBe(false);
  });

  test.each(PUBLISHED)('%s %s is an address of no other chain [CHAIN-001]', (chain, address) => {
    expect(CHAINS.filter((other) => isAddress(other, address))).toEqual([chain]);
  });

  test.each([
    ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'test network (BIP-173)'],
    ['bitcoin', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'invalid character (BIP-350)'],
    ['bitcoin', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'version 2: anyone may spend (BIP-350)'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'bech32m for version 0 (BIP-350)'],
    ['bitcoin', 'bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'mixed case (BIP-173)'],
    ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'test network, key hash'],
    ['ethereum', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'without 0x'],
    ['ethereum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'wrong case of a letter'],
    ['ethereum', '0x0000000000000000000000000000000000000000', 'nobody has its key'],
    ['ethereum', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', 'ICAP'],
    ['tron', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'hexadecimal form'],
    ['ripple', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', 'X-address of the test network'],
    ['litecoin', '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', 'could as well be one of Bitcoin'],
    ['cardano', 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz', 'test network (CIP-19)'],
    ['cardano', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', 'stake address (CIP-19)'],
    ['cardano', 'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k', 'pointer (CIP-19)'],
  ] as const)('%s %s is none: %s [CHAIN-001]', (chain, text, _why) => {
    expect(isAddress(chain, text)).toBe(false);
  });

  test('a taproot address whose key is not on the curve is refused: it could never be spent [CHAIN-001]', () => {
    // Of y^2 = x^3 + 7 there is a root for x = 1 and none for x = 5.
    const taproot = (x: number): string =>
      bech32m.encode('bc', [
        1,
        ...bech32m.toWords(Uint8Array.from({ length: 32 }, (_, place) => (place === 31 ? x : 0))),
      ]);
    expect(isAddress('bitcoin', taproot(1))).toBe(true);
    expect(isAddress('bitcoin', taproot(5))).toBe(false);
  });

  test('the checksum of Ethereum is the one that ethers makes, for any address [CHAIN-002]', async () => {
    const { getAddress } = await import('ethers/address');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const text = `0x${Buffer.from(bytes).toString('hex')}`;
        fc.pre(bytes.some((byte) => byte !== 0));
        expect(normalAddress('ethereum', text)).toBe(getAddress(text));
      }),
    );
  });

  test('equal addresses are equal texts [CHAIN-002]', () => {
    expect(normalAddress('ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    );
    expect(normalAddress('bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    );
    expect(() => normalAddress('tron', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toThrow(RangeError);
  });

  test('a memo is a destination tag of 32 bits, on XRP alone [CHAIN-003]', () => {
    for (const memo of ['0', '1', '4294967295']) expect(isMemo('ripple', memo)).toBe(true);
    for (const memo of ['', '-1', '01', '1.0', '4294967296', '99999999999', 'abc', ' 1'])
      expect(isMemo('ripple', memo)).toBe(false);
    expect(isMemo('bitcoin', '')).toBe(true);
    expect(isMemo('bitcoin', '7')).toBe(false);
  });

  test('an X-address carries its tag, and a memo beside it must be the same [CHAIN-003]', () => {
    const ripple = { chain: 'ripple', contractAddress: '' } as const;
    // XLS-5d: the account of the documentation with the tag 12345.
    const account = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
    const [plain, tagged] = [
      'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
      'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi',
    ];
    expect(destinationOf(ripple, plain, '')).toEqual({ ok: true, destination: { address: account, memo: '' } });
    expect(destinationOf(ripple, plain, '7')).toEqual({ ok: true, destination: { address: account, memo: '7' } });
    expect(destinationOf(ripple, tagged, '')).toEqual({
      ok: true,
      destination: { address: account, memo: '4294967295' },
    });
    expect(destinationOf(ripple, tagged, '4294967295')).toEqual({
      ok: true,
      destination: { address: account, memo: '4294967295' },
    });
    expect(destinationOf(ripple, tagged, '7')).toEqual({ ok: false, wrong: 'memo' });
    expect(destinationOf(ripple, account, 'x')).toEqual({ ok: false, wrong: 'memo' });
    expect(
      destinationOf({ chain: 'dogecoin', contractAddress: '' }, 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', '7'),
    ).toEqual({ ok: false, wrong: 'memo' });
  });

  test('nothing is sent to the contract of the token itself [CHAIN-002]', () => {
    const erc20 = { chain: 'ethereum', contractAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7' } as const;
    expect(destinationOf(erc20, '0xdac17f958d2ee523a2206206994597c13d831ec7', '')).toEqual({
      ok: false,
      wrong: 'address',
    });
    expect(destinationOf({ ...erc20, contractAddress: '' }, '0xdac17f958d2ee523a2206206994597c13d831ec7', '').ok).toBe(
      true,
    );
  });

  test.each([
    [
      'bitcoin',
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'BIP-84',
    ],
    [
      'ethereum',
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
      'the private key 1, known to every explorer',
    ],
    [
      'tron',
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC',
      'the private key 1',
    ],
    [
      'dogecoin',
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE',
      'the private key 1',
    ],
    [
      'litecoin',
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
      'the private key 1, key of the examples of BIP-173',
    ],
    [
      'ripple',
      '0330e7fc9d56bb25d6893ba3f317ae5bcf33b3291bd63db32654a313222f7fd020',
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      'genesis account, public key of the passphrase masterpassphrase (XRP Ledger documentation)',
    ],
    [
      'cardano',
      '73fea80d424276ad0978d4fe5310e8bc2d485f5f6bb3bf87612989f112ad5a7d',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
      'CIP-19, addr_vk of the test vectors',
    ],
  ] as const)('%s: the address of %s is %s (%s) [CHAIN-004]', (chain, publicKey, address, _source) => {
    expect(addressOfKey(chain, key(publicKey))).toBe(address);
    expect(isAddress(chain, address)).toBe(true);
  });
});
