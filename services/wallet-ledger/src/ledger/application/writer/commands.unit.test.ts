import { expect, test } from '@jest/globals';
import { LedgerCommandV1, resultsTopic, TOPICS, type LedgerCommand, type Message } from '@bourse/events';
import type { ServiceName } from '@bourse/platform';
import { readCommand } from './commands.js';

const MEANING = { partition: 0, scaleOf: () => 8 };
const command = (issuer: LedgerCommand['issuer'], topic?: string): Message =>
  LedgerCommandV1.encode({
    issuer,
    userId: 7,
    journals: [],
    ...(topic === undefined ? {} : { forward: { topic, partition: 0, message: { type: 'x.v1', key: '7', body: {} } } }),
  });
const isForeign = (author: ServiceName | undefined, message: Message, isDemo = false): boolean => {
  const result = readCommand(message, { ...MEANING, isDemo }, author);
  return !result.ok && result.isForeign === true;
};

test('the ledger posts for a service in its own name alone [HARD-209]', () => {
  for (const issuer of ['wallet-ledger', 'chain', 'operator'] as const) {
    expect(isForeign('wallet-ledger', command(issuer))).toBe(false);
    for (const author of ['spot-matching', 'auth', 'market-data', 'gateway', 'notices'] as const)
      expect(isForeign(author, command(issuer), true)).toBe(true);
  }
  expect(isForeign('spot-matching', command('spot-matching'))).toBe(false);
  expect(isForeign('wallet-ledger', command('spot-matching'))).toBe(true);
  expect(isForeign('auth', command('spot-matching'))).toBe(true);
  // Balances for load tests, on a demo install.
  expect([isForeign('auth', command('seed'), true), isForeign('auth', command('seed'), false)]).toEqual([false, true]);
  expect(isForeign(undefined, command('chain'))).toBe(false);
});

test('the ledger passes on to the books for spot-matching, and to the wallet for itself [HARD-209]', () => {
  expect(isForeign('spot-matching', command('spot-matching', TOPICS.spotCommands))).toBe(false);
  expect(isForeign('spot-matching', command('spot-matching', TOPICS.walletCommands))).toBe(true);
  expect(isForeign('wallet-ledger', command('wallet-ledger', TOPICS.walletCommands))).toBe(false);
  expect(isForeign('wallet-ledger', command('wallet-ledger', TOPICS.spotEvents))).toBe(true);
});

test('a service asks for results to its own topic alone [SAGA-006]', () => {
  const asking = (service: string): Message =>
    LedgerCommandV1.encode({
      issuer: 'wallet-ledger',
      userId: 7,
      journals: [],
      resultTo: { topic: resultsTopic(service), partition: 0, saga: 'stake.open', object: '1' },
    });
  expect(isForeign('wallet-ledger', asking('wallet-ledger'))).toBe(false);
  expect(isForeign('wallet-ledger', asking('spot-matching'))).toBe(true);
  // In the embedded run all services are one process, so a topic without a consumer is a defect of the sender.
  expect(readCommand(asking('nobody'), MEANING)).toMatchObject({
    ok: false,
    error: 'no service reads ledger.results.nobody',
  });
  expect(readCommand(asking('wallet-ledger'), MEANING).ok).toBe(true);
});
