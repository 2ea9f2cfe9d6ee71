import { expect, test } from '@jest/globals';
import type { Parties, PartyFacts } from '@bourse/messaging';
import { Alarms, Metrics, type Config } from '@bourse/platform';
import { SealedDealParties } from './parties.js';
import { DealReseal, SealedDeals } from './reseal.js';
import type { SealedRow } from '../../shared/application/reseal.js';

const KEYS = ['k1', 'k2', 'k3'].map((id) => ({ id, secret: `${id}-secret-of-thirty-two-characters` }));
const SECRET = 'internal-secret-of-32-characters!';
const person = (userId: number): PartyFacts => ({
  ...{
    userId,
    name: 'a***',
    accountNumber: `B${userId}`,
    realName: 'Ann Example',
    phone: '5550',
    lang: 'en',
    payment: null,
  },
});
const facts = { buyer: person(1), seller: person(2) };
/** Parties under the keys with these numbers, newest first. */
const people = (...numbers: number[]): SealedDealParties => {
  const dataKeys = numbers.map((number) => KEYS[number]!);
  return new SealedDealParties(
    {} as Parties,
    { dataKeys, internalSecret: SECRET, internalSecretsOld: [] } as unknown as Config,
  );
};
/** Parties of an install without data keys, under its internal secret; `before` are its earlier secrets. */
const underSecret = (internalSecret: string, ...internalSecretsOld: string[]): SealedDealParties =>
  new SealedDealParties({} as Parties, { dataKeys: [], internalSecret, internalSecretsOld } as unknown as Config);

class Rows extends SealedDeals {
  constructor(readonly rows: Map<string, string>) {
    super();
  }
  listNotUnder(prefix: string, behind: string, limit: number): Promise<SealedRow[]> {
    const found = [...this.rows].filter(([id, text]) => BigInt(id) > BigInt(behind) && !text.startsWith(prefix));
    return Promise.resolve(found.slice(0, limit).map(([id, text]) => ({ id, facts: text })));
  }
  replace({ id, facts: before }: SealedRow, after: string): Promise<void> {
    if (this.rows.get(id) === before) this.rows.set(id, after);
    return Promise.resolve();
  }
}

test('sealed facts open only for their deal, and the row reveals none of them [C2C-020]', () => {
  const one = people(0);
  const sealed = one.seal('42', facts);
  expect(one.open('42', sealed)).toEqual(facts);
  expect(sealed).not.toContain('Ann');
  expect(() => one.open('43', sealed)).toThrow('changed');
  expect(() => people(1).open('42', sealed)).toThrow('does not have');
});

test('a change of keys reseals all deals and reports those whose key is missing [C2C-020]', async () => {
  const rows = new Map(Array.from({ length: 450 }, (_, at) => [String(at + 1), people(0).seal(String(at + 1), facts)]));
  rows.set('451', people(2).seal('451', facts));
  const alarms = new Alarms();
  const both = people(1, 0);
  const reseal = new DealReseal(new Rows(rows), both, alarms, new Metrics());
  expect(await reseal.run()).toEqual({ sealed: 450, broken: 1 });
  expect(alarms.list().map(({ name }) => name)).toEqual(['c2c-escrow.reseal']);
  expect(people(1).open('450', rows.get('450')!)).toEqual(facts);
  rows.delete('451');
  expect(await reseal.run()).toEqual({ sealed: 0, broken: 0 });
  expect(alarms.list()).toEqual([]);
});

test('a new INTERNAL_SECRET opens facts under the old one and reseals them [C2C-020]', async () => {
  const other = 'another-secret-of-32-characters!!';
  const rows = new Map([['1', underSecret(SECRET).seal('1', facts)]]);
  expect(() => underSecret(other).open('1', rows.get('1')!)).toThrow('does not have');
  const both = underSecret(other, SECRET);
  expect(both.open('1', rows.get('1')!)).toEqual(facts);
  expect(await new DealReseal(new Rows(rows), both, new Alarms(), new Metrics()).run()).toEqual({
    sealed: 1,
    broken: 0,
  });
  expect(underSecret(other).open('1', rows.get('1')!)).toEqual(facts);
});
