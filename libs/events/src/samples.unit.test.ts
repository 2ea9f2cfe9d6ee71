import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  decode,
  LedgerCommandV1,
  LedgerResultV1,
  MarketTickV1,
  parseLegAccount,
  ReferenceRowV1,
  SpotAdoptV1,
  SpotAmendV1,
  SpotCancelV1,
  SpotModeV1,
  SpotMoveV1,
  SpotPlaceByMarkV1,
  SpotPlaceLinkedV1,
  SpotPlaceTrailingV1,
  SpotPlaceV1,
  SpotTradesV1,
  SpotTriggerV1,
  UserEventV1,
  OperatorActionV1,
  WithdrawalPlaceV1,
  type EventDefinition,
  type Message,
} from './index.js';
import type { z } from 'zod';

const definitions: readonly EventDefinition<z.ZodType>[] = [
  LedgerCommandV1,
  SpotPlaceV1,
  SpotPlaceLinkedV1,
  SpotPlaceTrailingV1,
  SpotPlaceByMarkV1,
  SpotTriggerV1,
  SpotCancelV1,
  SpotAmendV1,
  SpotModeV1,
  SpotMoveV1,
  SpotAdoptV1,
  SpotTradesV1,
  UserEventV1,
  ReferenceRowV1,
  OperatorActionV1,
  WithdrawalPlaceV1,
  LedgerResultV1,
  MarketTickV1,
];
const folder = new URL('../samples/', import.meta.url);
const samples = readdirSync(folder).map((name) => ({
  name,
  message: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Message,
}));

describe('stored samples', () => {
  test('every definition has one, named after its type and version [EVENT-001]', () => {
    expect(samples.map(({ name }) => name.replace(/(\.[a-z-]+)?\.json$/, '')).sort()).toEqual(
      expect.arrayContaining(definitions.map(({ name }) => name).sort()),
    );
  });

  test.each(samples)('$name still parses to the value that was written [EVENT-001]', ({ name, message }) => {
    const definition = definitions.find((candidate) => candidate.name === message.type);
    if (!definition) throw new Error(`no definition reads ${message.type} of ${name}`);
    const decoded = decode(definition, message);
    expect(decoded).toEqual({ ok: true, body: message.body });
    expect(definition.encode(message.body, message.context)).toEqual(message);
  });

  test.each(definitions)('$name refuses a body of another shape as a value [EVENT-002]', (definition) => {
    expect(decode(definition, { type: definition.name, key: 'x', body: { nonsense: true } }).ok).toBe(false);
    expect(decode(definition, { type: 'another.v9', key: 'x', body: {} }).ok).toBe(false);
    expect(() => definition.encode({ nonsense: true })).toThrow();
  });
});

test('account texts parse to their accounts, and no other text parses [EVENT-003]', () => {
  expect(parseLegAccount('100001.change')).toEqual({ owner: 100001, account: 'change', held: false, hold: null });
  expect(parseLegAccount(`${Number.MAX_SAFE_INTEGER}.change`)).toEqual({
    owner: Number.MAX_SAFE_INTEGER,
    account: 'change',
    held: false,
    hold: null,
  });
  expect(parseLegAccount('100001.change*#order:42')).toEqual({
    owner: 100001,
    account: 'change',
    held: true,
    hold: 'order:42',
  });
  expect(parseLegAccount('h.lever_fund')).toEqual({ owner: 'house', account: 'h.lever_fund', held: false, hold: null });
  for (const bad of ['', 'h', '1.', '.change', "1.change'", '1.change#x y', 'x.change']) {
    expect(() => parseLegAccount(bad)).toThrow(RangeError);
  }
});
