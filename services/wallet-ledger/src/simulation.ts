// The ledger in the simulator: its writer, the transfer and the rebalancing of house accounts over tables in memory,
// and the invariants of all money. Imported by the simulator only.
import { SEED_CURRENCIES } from '@bourse/contract';
import { TOPICS } from '@bourse/events';
import { LedgerClient, type SimulatedHost, type SimulatedService, type SimulatedSetup } from '@bourse/ledger-client';
import { walletLedgerAsks, type Log } from '@bourse/messaging';
import type { BookFormat } from './ledger/application/accounting/plain-text.js';
import { writeWholeLedger } from './ledger/application/accounting/whole-ledger.js';
import { Currencies } from './ledger/application/currencies.js';
import { AskedLeverHandOver } from './ledger/application/lever-hand-over.js';
import { HouseRebalancer } from './ledger/application/house/house-rebalancer.js';
import type { CommandRow, JournalRow } from './ledger/application/ports.js';
import { TransferBetweenAccounts } from './ledger/application/transfer.js';
import { LedgerWriter } from './ledger/application/writer/writer.js';
import { drain, refill } from './simulation/drain.js';
import { checkFees } from './simulation/fees.js';
import { giveFirstMoney } from './simulation/first-money.js';
import { checkJournals } from './simulation/journals.js';
import { SimulatedHouseBalanceReads, SimulatedLedgerReader } from './simulation/ledger-reads.js';
import { checkExpected, checkHouseBalances, checkMoney, MoneyWatch } from './simulation/money.js';
import { checkTransfers, drawTransfer, TRANSFER } from './simulation/transfers.js';
import { SimulatedWriterStore } from './simulation/writer-store.js';
import type { AccountState } from './ledger/domain/journal.js';

interface Ledger {
  readonly log: Log;
  readonly transfer: TransferBetweenAccounts;
}

function start({ database, log, replies, asks, clock, config, metrics, reference }: SimulatedHost): Ledger {
  const currencies = new Currencies(reference);
  const reader = new SimulatedLedgerReader(database, (id) => currencies.scaleOf(id) ?? 0);
  asks.handle(walletLedgerAsks.answer, ({ commandId, bodyHash }) => reader.answer(commandId, bodyHash));
  asks.handle(walletLedgerAsks.lever, ({ currency, userIds }) =>
    reader.availableOf('lever', 'h.lever', currency, userIds),
  );
  asks.handle(walletLedgerAsks.savings, async ({ currency }) => ({
    house: await reader.houseTotal('h.savings', currency),
  }));
  const houseReads = new SimulatedHouseBalanceReads(database, (id) => currencies.scaleOf(id) ?? 0);
  const rebalancer = new HouseRebalancer(houseReads, log, currencies, config);
  const writer = new LedgerWriter({
    onShortfall: ({ account, currency, units }, partition) =>
      rebalancer.requestTopUp(account, currency, partition, units),
    database,
    store: new SimulatedWriterStore(database),
    replies,
    metrics,
    partitions: config.ledgerPartitions,
    context: {
      userEventPartitions: log.partitionsOf(TOPICS.userEvents),
      scaleOf: (id) => currencies.scaleOf(id),
      nameOf: (id) => currencies.nameOf(id),
      now: () => clock.now(),
      isWatched: () => true,
      keptUnits: (account, currency, partition) => rebalancer.keptUnits(account, currency, partition),
    },
  });
  for (let partition = 0; partition < config.ledgerPartitions; partition++)
    log.own({ consumer: 'ledger.writer', topic: TOPICS.ledgerCommands, partition, database, run: writer.run });
  const ledger = new LedgerClient(log, replies, reader, clock, config);
  rebalancer.onApplicationBootstrap();
  return { log, transfer: new TransferBetweenAccounts(currencies, ledger, new AskedLeverHandOver(asks)) };
}

const scalesOf = ({ reference }: SimulatedSetup): ((currency: number) => number) => {
  const currencies = new Currencies(reference);
  return (id) => currencies.scaleOf(id) ?? 0;
};

/** The ledger: people transfer money between their accounts, and all other services settle through it. */
export const SIMULATED: SimulatedService<Ledger> = {
  service: 'wallet-ledger',
  schema: 'ledger',
  sagas: false,
  reads: [TOPICS.ledgerCommands],
  copies: 2,
  topics: (_, { ledgerPartitions }) => ({ [TOPICS.ledgerCommands]: ledgerPartitions, [TOPICS.ledgerFacts]: 1 }),
  catalog: () => ({ currency: SEED_CURRENCIES }),
  start,

  acts: [{ below: 0.4, kind: 'transfer', draw: drawTransfer }],
  intents: { transfer: TRANSFER },
  prepare: giveFirstMoney,
  drain: (desk, until) => drain(desk, scalesOf(desk), until),
  refill: (desk) => refill(desk, scalesOf(desk)),

  isSettled: (look) => checkHouseBalances(look, new Currencies(look.reference)).length === 0,
  watch: (now, limitOf) => new MoneyWatch(now, limitOf),
  journals: (server) =>
    server
      .rows<JournalRow>('ledger.journal')
      .filter(({ part }) => part === 0)
      .map(({ id, causeType, causeId }) => ({ id, causeType, causeId })),
  hasAccepted: (server, commandId) => server.row<CommandRow>('ledger.command', commandId)?.answer.type === 'ok',
  files: ({ server, reference }) => {
    const currencies = new Currencies(reference);
    const rows = [...server.rows<JournalRow>('ledger.journal')].sort(
      (a, b) => a.at - b.at || a.partition - b.partition || a.number - b.number || a.part - b.part,
    );
    const write = (format: BookFormat): AsyncIterable<string> =>
      writeWholeLedger(
        format,
        (currency) => currencies.commodityOf(currency),
        [rows],
        () => [server.rows<AccountState>('ledger.balance')],
      );
    return { 'ledger.beancount': write('beancount'), 'ledger.journal': write('hledger') };
  },
  audit: checkMoney,
  check(end) {
    const currencies = new Currencies(end.reference);
    return [
      ...checkMoney(end),
      ...checkJournals(end, currencies),
      ...checkExpected(end, currencies),
      ...checkHouseBalances(end, currencies),
      ...checkTransfers(end),
      ...checkFees(end, currencies),
    ];
  },
};
