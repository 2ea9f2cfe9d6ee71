// Mistakes of acceptors that the tests must find.
const deal = 'services/c2c-escrow/src/acceptors/domain/acceptor-deal.ts';
const journals = 'services/c2c-escrow/src/acceptors/application/journals.ts';
const submit = 'services/c2c-escrow/src/acceptors/application/deal-opening.ts';
const steps = 'services/c2c-escrow/src/acceptors/application/steps.ts';
const grants = 'services/c2c-escrow/src/acceptors/application/grants.ts';
const dealTest = 'services/c2c-escrow/src/acceptors/domain/acceptor-deal.unit.test.ts';
const journalTest = 'services/c2c-escrow/src/acceptors/application/journals.unit.test.ts';

export const PLANTED = [
  {
    id: 'acceptors-01',
    what: 'fiat of a withdrawal is rounded up',
    breaks: 'ACC-001',
    file: deal,
    find: "percentOf(money, rate, PERCENT_SCALE, 'up')",
    replace: "percentOf(money, rate, PERCENT_SCALE, 'down')",
    test: dealTest,
    name: 'coins of a deposit are exact, fiat of a withdrawal is rounded down to the cent',
  },
  {
    id: 'acceptors-02',
    what: 'a deposit is refused because the acceptor is silent',
    breaks: 'ACC-006',
    file: deal,
    find: "return deal.type === 'sell' ? { ...silent",
    replace: 'return deal.type !== null ? { ...silent',
    test: dealTest,
    name: 'a deposit goes to finance when the acceptor is silent, and is never rejected by time',
  },
  {
    id: 'acceptors-03',
    what: 'an objection does not stop the deadline of a transfer',
    breaks: 'ACC-007',
    file: deal,
    find: "dueAt: next.stage === 'transferred' && next.state === 'open' ?",
    replace: "dueAt: deal.type === 'sell' && next.state === 'open' ?",
    test: dealTest,
    name: 'a transfer counts as received after 20 minutes unless the person objects',
  },
  {
    id: 'acceptors-04',
    what: 'an acceptor confirms a deal that finance has to decide',
    breaks: 'ACC-003',
    file: deal,
    find: "decideConfirm: { buy: 'objected', sell: 'objected', to: CONFIRMED },",
    replace: "decideConfirm: { buy: 'waiting', sell: 'objected', to: CONFIRMED },",
    test: dealTest,
    name: 'a waiting deposit is confirmed, rejected, cancelled or objected to; then finance decides',
  },
  {
    id: 'acceptors-05',
    what: 'the acceptor’s cash is held from the person’s account',
    breaks: 'ACC-008',
    file: journals,
    find:
      "toCashLeg(deal, available(deal.acceptorId, 'quota'), " +
      "held(deal.acceptorId, 'quota', acceptorHoldName(deal.id)))",
    replace: "toCashLeg(deal, available(deal.userId, 'quota'), held(deal.userId, 'quota', acceptorHoldName(deal.id)))",
    test: journalTest,
    name: 'holds match the journals of the rules; the person’s hold belongs to their own call',
  },
  {
    id: 'acceptors-06',
    what: 'coins stay held after the second hold was refused',
    breaks: 'I3',
    file: submit,
    find: `return this.returning.next(tx, outcome, {
          object: deal.id,
          command: createUnholdOrder(deal),
          answer: toQuotaRefusal(outcome.note),
        });`,
    replace: 'void createUnholdOrder;\n        return toQuotaRefusal(outcome.note);',
    seeds: 'I3',
  },
  {
    id: 'acceptors-07',
    what: 'a refused withdrawal stays in its intermediate state',
    breaks: 'I3',
    file: submit,
    find: `onRefused: async (tx, { object }, refusal) => {
        await this.deals.drop(tx, object);`,
    replace: `onRefused: async (tx, { object }, refusal) => {
        void [tx, object];`,
    seeds: 'I3',
  },
  {
    id: 'acceptors-08',
    what: 'a deal opens without its deadline',
    breaks: 'I3',
    file: submit,
    find: 'await this.timers.set(tx, ACCEPTOR_TIMER, deal.id, deal.dueAt!);',
    replace: 'void ACCEPTOR_TIMER;',
    seeds: 'I3',
  },
  {
    id: 'acceptors-09',
    what: 'the end of a deal is booked in one of its two partitions only',
    breaks: 'I1',
    file: steps,
    find: '...others.map((other) => this.otherEnds.part({ object: after.id, command: other })),',
    replace: '...others.slice(others.length).map(() => null as never),',
    seeds: 'I',
  },
  {
    id: 'acceptors-10',
    what: 'a deal ended by time moves no money',
    breaks: 'I3',
    file: steps,
    find: "if (next.state === 'open') return;",
    replace: "if (next.state !== 'asking') return;",
    seeds: 'I',
  },
  {
    id: 'acceptors-11',
    what: 'a confirmed deposit gives the acceptor no cash',
    breaks: 'I1',
    file: journals,
    find: "type === 'buy' && isConfirmed && partition === issues",
    replace: "type === 'sell' && isConfirmed && partition === issues",
    seeds: 'I1',
  },
  {
    id: 'acceptors-12',
    what: 'a returned withdrawal goes to the acceptor',
    breaks: 'I1',
    file: journals,
    find: "toCoinLeg(deal, coins, isConfirmed ? available(acceptorId, 'acceptor') : available(userId, 'legal')),",
    replace: "toCoinLeg(deal, coins, available(acceptorId, 'acceptor')),",
    seeds: 'I1',
  },
  {
    id: 'acceptors-13',
    what: 'cash that the ledger refused to take back counts as taken back',
    breaks: 'I1',
    file: grants,
    find: 'await this.store.setGranted(tx, userId, granted - BigInt(by), false);',
    replace: 'void [granted, by];',
    seeds: 'I1',
  },
  {
    id: 'acceptors-14',
    what: 'coins that the house pays in place of an acceptor create no debt',
    breaks: 'HARD-449',
    file: 'services/c2c-escrow/src/acceptors/application/recovery.ts',
    find: 'if (deal.missing > 0n) await this.addDebt(tx, deal);',
    replace: '',
    test: 'services/c2c-escrow/test/acceptor-deals.unit.test.ts',
    name: 'the house pays missing coins, and the acceptor owes them and is closed until then',
  },
  {
    id: 'acceptors-15',
    what: 'returned coins are taken and do not reach the person',
    breaks: 'I3',
    file: journals,
    find:
      'const leg = toCoinLeg(deal, ' +
      "held(acceptorId, 'acceptor', acceptorHoldName(id)), available(personId, 'legal'));",
    replace:
      "const leg = toCoinLeg(deal, held(acceptorId, 'acceptor', acceptorHoldName(id)), " +
      "available(acceptorId, 'acceptor'));",
    test: 'services/c2c-escrow/test/acceptor-deals.unit.test.ts',
    name: 'an objection decided for the person returns the coins, and the acceptor’s cash',
  },
  {
    id: 'acceptors-16',
    what: 'an outage at the confirmation by time takes the person’s time to object',
    breaks: 'ACC-036',
    file: deal,
    find: 'autoAt: Math.max(at, decidedAt)',
    replace: 'autoAt: at',
    test: dealTest,
    name: 'has its full time after a confirmation that an outage has delayed',
  },
];
