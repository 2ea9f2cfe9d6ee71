import { describe, expect, test } from '@jest/globals';
import { parseForm, parseJsonBody, parseList, Unreadable, utf8 } from './body.js';

describe('bodies and queries', () => {
  test('form and JSON yield the same texts, with the digits as they were written [EDGE-003]', () => {
    expect({ ...parseForm('amount=0.10&name=a+b%26c&empty=') }).toEqual({ amount: '0.10', name: 'a b&c', empty: '' });
    expect({
      ...parseJsonBody('{"amount": 0.10, "big": 12345678901234567890.123, "name": "a b&c", "none": null}'),
    }).toEqual({ amount: '0.10', big: '12345678901234567890.123', name: 'a b&c' });
    expect({ ...parseJsonBody('') }).toEqual({});
    expect({ ...parseForm('') }).toEqual({});
  });

  test.each([
    'a=1&a=2',
    'a[]=1',
    'a[b]=1',
    'a=%00',
    'a=%0a',
    'a=%zz',
    'a=%ff',
    `${Array.from({ length: 201 }, (_, at) => `f${at}=1`).join('&')}`,
  ])('form %j is unreadable [EDGE-003]', (text) => {
    expect(() => parseForm(text)).toThrow(Unreadable);
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":"x","\\u0061":"y"}',
    '{"a":{"b":1}}',
    '{"a":[1]}',
    '[]',
    '"a"',
    '1',
    'null',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":',
    '{"a":1}x',
  ])('JSON %j is unreadable [EDGE-003]', (text) => {
    expect(() => parseJsonBody(text)).toThrow(Unreadable);
  });

  test('a field for lists holds flat objects or texts, with their digits, and nothing deeper [EDGE-062]', () => {
    const { items, ids } = parseJsonBody('{"items":[{"op":"place","amount":0.10,"none":null,"f":true}],"ids":[1,"b"]}');
    expect(parseList(items ?? '')).toEqual([{ op: 'place', amount: '0.10', f: 'true' }]);
    expect(parseList(ids ?? '')).toEqual(['1', 'b']);
    for (const bad of [
      '{"items":{"a":1}}',
      '{"items":[[1]]}',
      '{"items":[{"a":[1]}]}',
      '{"items":[{"a":1,"a":2}]}',
      '{"items":[{"a":"\\u0000"}]}',
      '{"items":[null]}',
      '{"items":[1],"items":[2]}',
      `{"ids":[${'1,'.repeat(200)}1]}`,
    ])
      expect(() => parseJsonBody(bad)).toThrow(Unreadable);
    for (const bad of ['', '{}', '"a"', '[{"a":1,"a":2}]', '[{"a":{}}]'])
      expect(() => parseList(bad)).toThrow(Unreadable);
  });

  test('name-like texts do not count as names; names of the language are fields [EDGE-003]', () => {
    expect({ ...parseJsonBody('{"a":"x\\":","b":":","c":"\\"d\\":1"}') }).toEqual({ a: 'x":', b: ':', c: '"d":1' });
    expect(Object.keys(parseJsonBody('{"__proto__":"x","constructor":"y"}'))).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(parseForm('toString=1'))).toEqual(['toString']);
  });

  test('broken UTF-8 is not repaired [EDGE-003]', () => {
    expect(() => utf8(Uint8Array.of(0x61, 0xff))).toThrow(Unreadable);
  });
});
