import { expect, test } from '@jest/globals';
import { TOPICS } from '@bourse/events';
import { chainHash, type OutboxRow } from '@bourse/persistence';
import { makeServiceKey, publicKeyOf, SERVICE_NAMES, ServiceKeys } from '@bourse/platform';
import { RecordSeal, seenCommands } from './record-seal.js';

const privateKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, makeServiceKey()]));
const publicKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, publicKeyOf(privateKeys[name] as string)]));
const sealOf = (name: string): RecordSeal => {
  const keys = new ServiceKeys(name, privateKeys[name] as string, publicKeys);
  return new RecordSeal(() => keys);
};
const payload = '[{"type":"ledger.command.v1","key":"7","body":{}}]';
const row = (schema: string, more: Partial<OutboxRow> = {}): OutboxRow => ({
  stream: `${schema}>ledger.commands/0`,
  number: 5,
  topic: TOPICS.ledgerCommands,
  partition: 0,
  previousHash: 'a',
  hash: chainHash('a', payload),
  payload,
  ...more,
});
const FORGED = { forged: expect.any(String) };

test('a row proves its author, at its place in its stream, with its payload, and no other [HARD-209]', () => {
  const ledger = sealOf('wallet-ledger');
  const mine = row('spot');
  const headers = sealOf('spot-matching').ofRow(mine);
  expect(ledger.authorOfRow(mine, headers)).toEqual({ author: 'spot-matching' });
  expect(ledger.authorOfRow(row('spot.1'), sealOf('spot-matching').ofRow(row('spot.1')))).toEqual({
    author: 'spot-matching',
  });
  for (const changed of [
    { number: 6 },
    { stream: 'spot.1>ledger.commands/0' },
    { previousHash: 'b' },
    { hash: chainHash('b', payload) },
    { payload: payload.replace('7', '8') },
    { partition: 1 },
  ])
    expect(ledger.authorOfRow(row('spot', changed), headers)).toEqual(FORGED);
  expect(ledger.authorOfRow(mine, {})).toEqual(FORGED);
  expect(ledger.authorOfRow(mine, undefined)).toEqual(FORGED);
});

test('a service cannot write as another, nor in a topic or a stream that is not its own [HARD-209]', () => {
  const ledger = sealOf('wallet-ledger');
  const market = sealOf('market-data');
  // Its own name: it does not write here. Another one: it lacks the secret.
  expect(ledger.authorOfRow(row('market'), market.ofRow(row('market')))).toEqual(FORGED);
  const headers = { ...market.ofRow(row('spot')), from: 'spot-matching' };
  expect(ledger.authorOfRow(row('spot'), headers)).toEqual(FORGED);
  // A writer of the topic, in the stream of another one.
  expect(ledger.authorOfRow(row('spot'), sealOf('auth').ofRow(row('spot')))).toEqual(FORGED);
  const trade = row('spot', { topic: TOPICS.spotEvents, stream: 'spot>spot.events/0' });
  expect(market.authorOfRow(trade, sealOf('wallet-ledger').ofRow(trade))).toEqual(FORGED);
  expect(market.authorOfRow(trade, sealOf('spot-matching').ofRow(trade))).toEqual({ author: 'spot-matching' });
});

test('a direct command is taken once, at its partition, as it was sent [HARD-209]', () => {
  const ledger = sealOf('wallet-ledger');
  const seen = seenCommands();
  const headers = sealOf('spot-matching').ofCommand(TOPICS.ledgerCommands, 0, payload);
  const verify = (partition: number, value: string, given = headers): unknown =>
    ledger.authorOfCommand(TOPICS.ledgerCommands, partition, value, given, seen);
  expect(verify(1, payload)).toEqual(FORGED);
  expect(verify(0, payload.replace('7', '8'))).toEqual(FORGED);
  expect(verify(0, payload, { ...headers, once: 'other 1' })).toEqual(FORGED);
  expect(verify(0, payload)).toEqual({ author: 'spot-matching' });
  expect(verify(0, payload)).toEqual({ forged: 'it was sent before' });
});
