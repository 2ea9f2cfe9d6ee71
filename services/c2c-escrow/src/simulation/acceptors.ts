// Acceptors in the simulation: people pay in and withdraw, acceptors answer or stay silent, finance decides.
import { NO_OUT_STOPS } from '@bourse/contract';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import {
  type SimulatedCall,
  type SimulatedOperator,
  type SimulatedEnd,
  type SimulatedHost,
  type SimulatedMove,
  type SimulatedTables,
  type SimulatedPart,
} from '@bourse/ledger-client';
import { FundGate, type OwnUploads, type Parties } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import {
  WrittenAmount,
  type CallContext,
  type Caller,
  type Clock,
  type Config,
  type Notice,
  type Ids,
} from '@bourse/platform';
import type { Setting, Settings } from '@bourse/settings';
import { AcceptorCatalog } from '../acceptors/application/catalog.js';
import { CustomerCommands } from '../acceptors/application/customer-commands.js';
import { AcceptorCommands } from '../acceptors/application/acceptor-commands.js';
import { AcceptorGrants } from '../acceptors/application/grants.js';
import { acceptorHoldName } from '../acceptors/application/journals.js';
import type { AcceptorBalances, AcceptorRow } from '../acceptors/application/ports.js';
import { AcceptorRecovery } from '../acceptors/application/recovery.js';
import {
  ACCEPTOR_AUTO_MINUTES,
  ACCEPTOR_DEPOSIT_HOURS,
  ACCEPTOR_OBJECT_MINUTES,
  ACCEPTOR_SILENT_MINUTES,
  ACCEPTOR_STRIKES,
} from '../acceptors/application/settings.js';
import { ACCEPTOR_TIMER, AcceptorSteps } from '../acceptors/application/steps.js';
import { AcceptorDealOpening } from '../acceptors/application/deal-opening.js';
import { AcceptorViews } from '../acceptors/application/views.js';
import { cashOf, coinsOf, keepsCash, keepsCoins, type AcceptorDeal } from '../acceptors/domain/acceptor-deal.js';
import {
  ACCEPTOR,
  ACCEPTOR_DEAL,
  ACCEPTORS,
  DEBT,
  UnlimitedBalances,
  PlainAcceptorContacts,
  SimulatedAcceptorDeals,
  SimulatedAcceptorDebts,
  SimulatedAcceptors,
  type SimulatedDebt,
} from './acceptor-stores.js';

const USDT = 3;
const CASH = INTERNAL_CURRENCIES.CSH.id;
const VALID_MS = 4_000;
const PASSWORD = 'fund66';
const FINANCE = { userId: 101, accountNumber: 'finance1', kind: 'operator' } as Caller;

/** The use cases of acceptors in one process. */
export interface Acceptors {
  readonly opening: AcceptorDealOpening;
  readonly steps: AcceptorSteps;
  readonly customers: CustomerCommands;
  readonly commands: AcceptorCommands;
  readonly grants: AcceptorGrants;
  readonly recovery: AcceptorRecovery;
  readonly deals: SimulatedAcceptorDeals;
  readonly clock: Pick<Clock, 'real'>;
}

/** Time limits of which some end during the run, some while it heals, and some never. */
function createShortSettings(random: SimulatedHost['random']): Settings {
  const times = new Map<unknown, readonly number[]>([
    [ACCEPTOR_SILENT_MINUTES, [0.02, 0.1, 10_000]],
    [ACCEPTOR_DEPOSIT_HOURS, [0.0005, 0.002, 700]],
    [ACCEPTOR_AUTO_MINUTES, [0.02, 0.1, 10_000]],
    [ACCEPTOR_OBJECT_MINUTES, [0]],
    [ACCEPTOR_STRIKES, [1_000]],
  ]);
  const get = <T>(setting: Setting<T>): T => {
    const drawn = times.get(setting);
    return drawn ? (random.pick(drawn) as T) : setting.initial;
  };
  return { get, onChange: () => undefined };
}

function start({ database, sagas, clock, config, reference, random }: SimulatedHost): Acceptors {
  const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const uploads = { own: () => Promise.resolve('picture.jpg') } as unknown as OwnUploads;
  const catalog = new AcceptorCatalog(reference);
  const store = new SimulatedAcceptors(database);
  const deals = new SimulatedAcceptorDeals(database);
  const timers = new Timers(database, clock);
  const contacts = new PlainAcceptorContacts();
  const settings = createShortSettings(random);
  const views = new AcceptorViews(contacts, clock, { internalSecret: 'simulated' } as Config, settings);
  const balances = new UnlimitedBalances();
  // One person in five is frozen for everything: their silence never counts as consent.
  const parties = {
    acceptorsAmong: (ids: readonly number[]) => Promise.resolve(new Set(ids)),
    facts: (ids: readonly number[]) => Promise.resolve(new Map(ids.map((id) => [id, { mayAnswer: mayAnswer(id) }]))),
  } as unknown as Parties;
  const debts = new SimulatedAcceptorDebts(database);
  const opening = new AcceptorDealOpening(
    sagas,
    sagas.commands,
    deals,
    store,
    balances,
    catalog,
    fund,
    parties,
    contacts,
    settings,
    timers,
    views,
    clock,
    ids,
    debts,
  );
  const steps = new AcceptorSteps(sagas, sagas.commands, deals, timers, views, parties, clock, config);
  const customers = new CustomerCommands(steps, deals, uploads, settings);
  const commands = new AcceptorCommands(sagas, steps, store, sagas.commands, fund, uploads, catalog, ids, debts);
  const grants = new AcceptorGrants(sagas, sagas.commands, store, clock, ids);
  // The balance that finance believes an acceptor to have: sometimes too low, sometimes too high.
  const believed: AcceptorBalances = {
    findBalance: async () => ({ ...(await balances.findBalance()), posted: BigInt(random.int(3)) * 50n * 10n ** 8n }),
  };
  const recovery = new AcceptorRecovery(
    ...([sagas, sagas.commands, deals, debts, believed, views, clock, config, ids] as const),
  );
  timers.start();
  return { opening, steps, customers, commands, grants, recovery, deals, clock };
}

const mayAnswer = (userId: number): boolean => userId % 5 !== 0;
const toWrittenAmount = (text: string, field: string): WrittenAmount => new WrittenAmount(text, field, {});
const toAcceptorCaller = (userId: number): Caller => ({ userId, isAcceptor: true }) as Caller;

/** Takes an acceptor's action on an open deal. */
function answerDeal(
  { commands }: Acceptors,
  deal: AcceptorDeal,
  refuses: boolean,
  context: CallContext,
): Promise<Notice> {
  const caller = toAcceptorCaller(deal.acceptorId);
  const fields = { id: deal.id, password: PASSWORD };
  if (refuses) return commands.reject(caller, { ...fields, reason: 'no' }, context);
  return deal.type === 'buy'
    ? commands.confirm(caller, fields, context)
    : commands.markTransferred(caller, { ...fields, proofPic: '/api/upload/x' }, context);
}

/** Actions of acceptors and of finance beside those of people. */
async function operate({ random, pause, call, loadMs }: SimulatedOperator<Acceptors>): Promise<void> {
  let left = loadMs * 1.5;
  for (let number = 1; left > 0; number++) {
    const ms = random.between(100, 500);
    left -= ms;
    await pause(ms);
    const [die, place, units, who] = [random.next(), random.next(), random.int(40_000), random.pick(ACCEPTORS)];
    await call(async (running) => {
      const validUntil = running.clock.real() + VALID_MS;
      const context = {
        ...{ commandId: `acceptor:${number}`, hasKey: true, bodyHash: 'b', validUntil },
        outStops: NO_OUT_STOPS,
      } as CallContext;
      if (die < 0.1) {
        const fields = { direction: units % 2 === 0 ? ('in' as const) : ('out' as const), password: PASSWORD };
        const number = toWrittenAmount(formatUnits(BigInt(units + 1), 2), 'number');
        return running.commands.fundCoins(toAcceptorCaller(who), { ...fields, number }, context);
      }
      if (die < 0.25) {
        await running.grants.grantCash(who, units % 2 === 0 ? 0n : 40_000n);
        return { key: 'common.success', extra: {}, params: {} };
      }
      const { rows } = await running.deals.list({});
      const deal = rows[Math.floor(place * rows.length)];
      if (!deal) return { key: 'common.success', extra: {}, params: {} };
      if (deal.state === 'confirmed' && deal.dispute === 'none')
        return running.customers.objectTo(deal.userId, { id: deal.id, reason: 'nothing came', pic: 'x' }, context);
      if (deal.dispute === 'open') {
        const verdict = {
          id: deal.id,
          outcome: die < 0.4 ? ('confirm' as const) : ('reject' as const),
          reason: 'by lot',
        };
        return running.recovery.decide(FINANCE, verdict, context);
      }
      if (deal.stage !== 'objected') return answerDeal(running, deal, die > 0.9, context);
      const action = die < 0.6 ? 'decideConfirm' : 'decideReject';
      return running.steps.take('admin.acceptorDecided', context, () =>
        Promise.resolve({ id: deal.id, actor: 'finance', action }),
      );
    });
  }
}

const listDeals = (server: SimulatedTables): readonly AcceptorDeal[] => server.rows<AcceptorDeal>(ACCEPTOR_DEAL);

export const ACCEPTORS_PART: SimulatedPart<Acceptors> = {
  name: 'acceptors',
  start,
  operate,

  draw(random, user, known): SimulatedCall<Acceptors> {
    const id = known.length > 0 && random.chance(0.5) ? random.pick(known) : undefined;
    if (id !== undefined) {
      const action = random.pick(['confirm', 'cancel', 'object'] as const);
      return {
        fields: { call: action, id },
        run: ({ customers }, context) =>
          action === 'object'
            ? customers.objectTo(user, { id, reason: 'I have paid', pic: 'x' }, context)
            : customers[action](user, { id }, context),
      };
    }
    const type = random.pick(['buy', 'sell'] as const);
    const acceptorId = 1 + random.int(ACCEPTORS.length);
    const money = formatUnits(BigInt(random.chance(0.1) ? 10 ** 8 : 1_000 + random.int(20_000)), 2);
    return {
      fields: { call: 'submit', type, acceptorId, money },
      run: ({ opening }, context) =>
        opening.submit(
          user,
          {
            mobile: '5550100',
            dealAccount: '4000',
            money: toWrittenAmount(money, 'money'),
            way: 'bank',
            type,
            acceptorId,
            password: PASSWORD,
          },
          context,
        ),
    };
  },

  isSettled: ({ server }) =>
    listDeals(server).every(
      ({ state, dispute }) => state !== 'asking' && state !== 'holding' && dispute !== 'returning',
    ),

  /** Coins and cash of a withdrawal have the same hold name. */
  holds: (server) =>
    new Map(
      listDeals(server)
        .filter(keepsCoins)
        .map((deal) => [acceptorHoldName(deal.id), coinsOf(deal) + (keepsCash(deal) ? cashOf(deal) : 0n)]),
    ),

  moves: ({ server }) => [
    ...listDeals(server).flatMap((deal): SimulatedMove[] => {
      const { state, type, userId, acceptorId, missing } = deal;
      if (state !== 'confirmed')
        return missing === 0n
          ? []
          : [
              { whose: acceptorId, currency: USDT, units: missing },
              { whose: 'h.capital', currency: USDT, units: -missing },
            ];
      const sign = type === 'buy' ? 1n : -1n;
      return [
        { whose: userId, currency: USDT, units: sign * coinsOf(deal) },
        { whose: acceptorId, currency: USDT, units: -sign * coinsOf(deal) },
        { whose: acceptorId, currency: CASH, units: sign * cashOf(deal) },
      ];
    }),
    ...server.rows<SimulatedDebt>(DEBT).flatMap(({ acceptorId, paid }): SimulatedMove[] => [
      { whose: acceptorId, currency: USDT, units: -paid },
      { whose: 'h.capital', currency: USDT, units: paid },
    ]),
    ...server
      .rows<AcceptorRow>(ACCEPTOR)
      .map(({ userId, granted }): SimulatedMove => ({ whose: userId, currency: CASH, units: granted })),
  ],

  check: (end) => [...findDeadlineProblems(end), ...findStateProblems(end), ...findAnswerProblems(end)],

  figures: (server) => ({
    acceptorDeals: listDeals(server).length,
    acceptorDealsConfirmed: listDeals(server).filter(({ state }) => state === 'confirmed').length,
    acceptorDealsByTime: listDeals(server).filter(({ reasonKey }) => reasonKey !== '').length,
    acceptorDealsObjected: listDeals(server).filter(({ stage }) => stage === 'objected').length,
    acceptorDealsReturned: listDeals(server).filter(({ dispute }) => dispute === 'returned').length,
    acceptorDebts: server.rows<SimulatedDebt>(DEBT).length,
  }),
};

/** Open deals have the deadline that they state, ended deals have none. */
function findDeadlineProblems({ server }: SimulatedEnd<Acceptors>): string[] {
  const timers = server
    .rows<{ kind: string; id: string; dueAt: number }>('escrow.timer')
    .filter(({ kind }) => kind === ACCEPTOR_TIMER);
  const due = new Map(timers.map(({ id, dueAt }) => [id, dueAt]));
  const problems = listDeals(server).flatMap(({ id, dueAt }) =>
    (due.get(id) ?? null) === dueAt ? [] : [`I3 deal ${id} is due at ${dueAt}, its timer at ${due.get(id)}`],
  );
  const ids = new Set(listDeals(server).map(({ id }) => id));
  return [...problems, ...timers.filter(({ id }) => !ids.has(id)).map(({ id }) => `I3 timer of no deal ${id}`)];
}

/** States that the rules never allow. */
function findStateProblems({ server }: SimulatedEnd<Acceptors>): string[] {
  return listDeals(server).flatMap(({ id, type, state, stage, reasonKey, createdAt, updatedAt, silentMs, userId }) => {
    const problems: string[] = [];
    if (reasonKey === 'acceptor.cannotAnswer' && mayAnswer(userId))
      problems.push(`I8 the silence of ${id} was consent`);
    if (state === 'asking' || state === 'holding') problems.push(`I3 deal ${id} stays in between`);
    if (type === 'buy' && state === 'rejected' && reasonKey !== '' && stage !== 'objected')
      problems.push(`I8 the deposit ${id} was refused by time`);
    if (stage === 'waiting' && reasonKey !== '' && updatedAt < createdAt + silentMs)
      problems.push(`I8 the acceptor of ${id} was given up too early`);
    return problems;
  });
}

/** Every answer given to a person took effect, once. */
function findAnswerProblems({ server, calls }: SimulatedEnd<Acceptors>): string[] {
  const deals = new Map(listDeals(server).map((deal) => [deal.id, deal]));
  const ends: Readonly<Record<string, AcceptorDeal['state']>> = { confirm: 'confirmed', cancel: 'rejected' };
  return calls
    .filter(({ fields }) => fields['product'] === ACCEPTORS_PART.name)
    .flatMap(({ fields, told }) => {
      const ok = told.find(({ kind }) => kind === 'ok');
      if (ok?.kind !== 'ok') return [];
      const deal = deals.get(ok.id);
      const problems: string[] = [];
      if (told.some(({ kind }) => kind === 'refused'))
        problems.push(`I6 ${ok.id} was answered ok and refused under one id`);
      const wanted = ends[String(fields['call'])];
      if (!deal) problems.push(`I6 deal ${ok.id} was answered ok and does not exist`);
      else if (wanted !== undefined && deal.state !== wanted)
        problems.push(`I6 ${String(fields['call'])} of ${ok.id} was answered ok, it is ${deal.state}`);
      else if (fields['call'] === 'object' && deal.stage !== 'objected')
        problems.push(`I6 the objection to ${ok.id} was answered ok, it is ${deal.stage}`);
      return problems;
    });
}
