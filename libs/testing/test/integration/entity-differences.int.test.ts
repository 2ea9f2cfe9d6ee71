import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import { testTimeoutMs } from '../../src/eventually.js';
import { entityDifferences, testDatabases, type TestDatabases } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

@Entity('letter')
class Letter {
  @PrimaryColumn('bigint')
  @Generated('increment')
  id: string;
  @PrimaryColumn('text')
  lang: string;
  @Column('numeric', { precision: 28, scale: 8 })
  price: string;
  @Column('text', { array: true })
  words: string[];
  @Column('timestamptz', { nullable: true, transformer: instant })
  sentAt: number | null;
}
@Entity('parcel')
class Parcel {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  id: number;
  @Column('text')
  lang: string;
  @Column('numeric', { precision: 28, scale: 2 })
  price: string;
  @Column('text')
  words: string;
  @Column('timestamptz', { transformer: instant })
  sentAt: number;
  @Column('text')
  weight: string;
}
const columns =
  'id bigint generated always as identity, lang text, price numeric(28, 8) not ' +
  'null, words text[] not null, sent_at timestamptz';

let world: TestDatabases;
beforeAll(async () => {
  world = await testDatabases();
});
afterAll(async () => {
  await world?.end();
});

test('entities that agree with their tables have no differences [DB-013]', async () => {
  const database = await world.databases.open({
    schema: 'agreeing',
    migrations: [{ id: '0001-letter', sql: `create table letter (${columns}, primary key (id, lang))` }],
    entities: [Letter],
  });
  expect(await entityDifferences(database)).toEqual([]);
});

test('each difference between an entity and its table is reported [DB-013]', async () => {
  const database = await world.databases.open({
    schema: 'differing',
    migrations: [
      { id: '0001-parcel', sql: `create table parcel (${columns}, stamp text not null, primary key (id, lang))` },
    ],
    entities: [Parcel],
  });
  expect(await entityDifferences(database)).toEqual([
    'parcel.id is numbered by the database, its entity says otherwise',
    'parcel.lang is part of the primary key, its entity says otherwise',
    'parcel.price is numeric(28,8), its entity says numeric(28,2)',
    'parcel.words is text[], its entity says text',
    'parcel.sent_at may be empty, its entity says otherwise',
    'parcel.weight is no column of the table',
    'parcel.stamp is missing in the entity',
  ]);
});

test('rows without a table are reported', async () => {
  const database = await world.databases.open({ schema: 'empty', migrations: [], entities: [Letter] });
  expect(await entityDifferences(database)).toContain('letter.id is no column of the table');
});
