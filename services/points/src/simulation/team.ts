// The team in the simulation: people register, get certificates and deposit in any order and more than once, as auth
// and the wallet would report it; all fees come from the ledger, and are returned by days of two seconds.
import { SEED_CURRENCIES } from '@bourse/contract';
import {
  DepositCreditedV1,
  PersonFactV1,
  REBATE_CAUSE,
  TOPICS,
  type DepositCredited,
  type FeePaid,
  type Message,
  type PersonFact,
} from '@bourse/events';
import type {
  SimulatedOperator,
  SimulatedEnd,
  SimulatedHost,
  SimulatedMove,
  SimulatedTables,
  SimulatedPart,
} from '@bourse/ledger-client';
import { formatUnits, pow10, toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import type { MemoryTx } from '@bourse/persistence/memory';
import { Notice, type Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import type { PointsDatabase } from '../shared/application/database.js';
import { RebatePayments } from '../team/application/rebate-payments.js';
import type { OwedDay } from '../team/application/rebate-ports.js';
import { Rebates } from '../team/application/rebates.js';
import { TeamFacts } from '../team/application/team-facts.js';
import { SHARE_SCALE } from '../team/domain/rebate.js';
import type { TeamMember } from '../team/domain/team.js';
import { rankOf, USD_SCALE } from '../team/domain/team-rank.js';
import {
  CARRY,
  DEPOSIT,
  MEMBER,
  OWED,
  PAID,
  SimulatedRebates,
  SimulatedTeam,
  WAITING,
  type StoredRebate,
} from './team-stores.js';
import { exchangeFees, hasReadAll } from './exchange-fees.js';

/** The facts of auth and the wallet so far, by name: it is not one of our tables. */
const PUBLISHED = 'points.told_facts';
/** A day of rebates takes two seconds of the run. */
const FASTER = 43_200;
const SINCE = 1_700_000_000_000;
/** Percent of a fee that each generation gets, the inviter first (rules §11). */
const PERCENTS = [20n, 10n, 5n];

type Fact = { readonly person: PersonFact } | { readonly deposit: DepositCredited };
interface Running {
  /** Sends a fact in a transaction of its own. */
  publish(name: string, fact: Fact): Promise<Notice>;
}

const scaleOf = (currency: number): number => SEED_CURRENCIES.find(({ id }) => id === currency)!.scale;

/** Composes the team in a process. */
function start({ database, sagas, reference, clock, log }: SimulatedHost): Running {
  const own = database as unknown as PointsDatabase;
  const fast = { now: () => (clock.now() - SINCE) * FASTER, real: () => clock.real() } as Clock;
  const team = new SimulatedTeam(database);
  const store = new SimulatedRebates();
  const timers = new Timers(database, fast);
  const facts = new TeamFacts(team, fast);
  const rebates = new Rebates(team, store, new FixedSettings(), reference);
  const payments = new RebatePayments(sagas, own, timers, team, store, reference, fast);
  const consume = (consumer: string, topic: string, handle: (of: readonly Message[], tx: Tx) => Promise<void>): void =>
    void log.consume({ consumer, topic, database, handle });
  consume('points.team-people', TOPICS.peopleFacts, async (messages, tx) => {
    await facts.people(messages, tx);
    await rebates.retry(tx);
  });
  consume('points.team-ledger', TOPICS.ledgerFacts, async (messages, tx) => {
    await facts.deposits(messages, tx);
    await rebates.fees(messages, tx);
  });
  const begin = (): void => void payments.onApplicationBootstrap().catch(() => setTimeout(begin, 500));
  begin();
  timers.start();
  return {
    publish: (name, fact) =>
      database.transaction(async (tx) => {
        await (tx as MemoryTx).statement('publish a fact', (at) => at.put(PUBLISHED, name, fact));
        if ('person' in fact) tx.emit(TOPICS.peopleFacts, 0, PersonFactV1.encode(fact.person));
        else tx.emit(TOPICS.ledgerFacts, 0, DepositCreditedV1.encode(fact.deposit));
        return new Notice('common.success', {});
      }),
  };
}

type Desk = SimulatedOperator<Running>;

/** Sends the fact until it is stored; a commit with an unknown outcome may send it twice. */
async function publishFact({ server, call, pause }: Desk, name: string, fact: Fact): Promise<void> {
  while (!server.row(PUBLISHED, name)) {
    await call((running) => running.publish(name, fact));
    if (!server.row(PUBLISHED, name)) await pause(100);
  }
}

const registered = (userId: number, inviterId: number | null): Fact => ({
  person: { fact: 'registered', userId, inviterId, at: SINCE },
});

/** Some have registered before; the others come while faults are injected. */
async function prepare(desk: Desk): Promise<void> {
  const [first, second] = desk.users as [number, number];
  await publishFact(desk, `registered ${first}`, registered(first, null));
  await publishFact(desk, `registered ${second}`, registered(second, first));
}

async function operate(desk: Desk): Promise<void> {
  const { random, users, loadMs, pause } = desk;
  const facts = users.flatMap((userId, place): [string, Fact][] => {
    // Alternates between a long line and many direct members.
    const inviter = users[random.chance(0.5) ? place - 1 : random.int(Math.max(place, 1))] ?? null;
    const id = String(userId);
    const value = formatUnits(BigInt(1 + random.int(2 ** 41)), USD_SCALE);
    const deposit = { id, userId, currency: 3, amount: '1', value, at: SINCE };
    return [
      ...(place > 1 ? [[`registered ${userId}`, registered(userId, inviter)] as [string, Fact]] : []),
      [`certified ${userId}`, { person: { fact: 'certified', userId, at: SINCE } }],
      [`deposited ${userId}`, { deposit }],
    ];
  });
  while (facts.length > 0) {
    await pause(random.between(0, (2 * loadMs) / (3 * users.length)));
    const [[name, fact]] = facts.splice(random.int(facts.length), 1) as [[string, Fact]];
    await publishFact(desk, name, fact);
    if (random.chance(0.3)) await publishFact(desk, `${name} again`, fact);
  }
}

const membersOf = (server: SimulatedTables): readonly TeamMember[] => server.rows<TeamMember>(MEMBER);
const rebatesOf = (server: SimulatedTables): readonly StoredRebate[] => server.rows<StoredRebate>(PAID);
const unitsOf = ({ amount, currency }: StoredRebate): bigint => toUnits(amount, scaleOf(currency));

/** All facts, each once: the inviters, the certified people, and each person's deposits. */
function readFacts(server: SimulatedTables) {
  const inviters = new Map<number, number | null>();
  const certified = new Set<number>();
  const deposited = new Map<number, bigint>();
  for (const [name, fact] of server.entries<Fact & object>(PUBLISHED)) {
    if (name.endsWith(' again')) continue;
    if ('deposit' in fact) deposited.set(fact.deposit.userId, toUnits(fact.deposit.value, USD_SCALE));
    else if (fact.person.fact === 'certified') certified.add(fact.person.userId);
    else inviters.set(fact.person.userId, fact.person.inviterId);
  }
  return { inviters, certified, deposited };
}
type PublishedFacts = ReturnType<typeof readFacts>;

/** The people above a person, the inviter first. */
function invitersOf({ inviters }: PublishedFacts, userId: number): number[] {
  const line: number[] = [];
  for (let next = inviters.get(userId) ?? null; next !== null; next = inviters.get(next) ?? null) line.push(next);
  return line;
}

/** The sums that are kept, beside those that are counted. */
function wrongSums(server: SimulatedTables, facts: PublishedFacts): string[] {
  const people = [...facts.inviters.keys()];
  const problems = people
    .filter((id) => !membersOf(server).some((member) => member.id === id))
    .map((id) => `I3 ${id} has registered and is not in the team`);
  for (const member of membersOf(server)) {
    const below = people.filter((id) => invitersOf(facts, id).includes(member.id));
    const direct = below.filter((id) => facts.inviters.get(id) === member.id);
    const certified = (ids: readonly number[]): number => ids.filter((id) => facts.certified.has(id)).length;
    const topUp = below.reduce((sum, id) => sum + (facts.deposited.get(id) ?? 0n), 0n);
    const counted = { invited: direct.length, direct: certified(direct), team: certified(below), topUp };
    const whole = { ...counted, rank: rankOf(counted), ownTopUp: facts.deposited.get(member.id) ?? 0n };
    for (const [name, value] of Object.entries(whole))
      if (member[name as keyof typeof whole] !== value)
        problems.push(`I3 ${name} of member ${member.id} is ${member[name as keyof typeof whole]}, counted ${value}`);
  }
  return problems;
}

/** The part of the fees that is owed to each person in each coin, exact, at SHARE_SCALE. */
function owedBy(fees: readonly FeePaid[], facts: PublishedFacts): ReadonlyMap<string, bigint> {
  const owed = new Map<string, bigint>();
  for (const { payer, currency, amount } of fees)
    for (const [generation, person] of invitersOf(facts, payer).slice(0, PERCENTS.length).entries()) {
      const share = (toUnits(amount, SHARE_SCALE) * PERCENTS[generation]!) / 100n;
      const key = `${person}.${currency}`;
      owed.set(key, (owed.get(key) ?? 0n) + share);
    }
  return owed;
}

/** Day by day no more than the whole units of the sum so far, and never taken back. */
function wrongRebates(server: SimulatedTables, facts: PublishedFacts): string[] {
  const problems: string[] = [];
  const sums = new Map<string, { owed: bigint; paid: bigint }>();
  for (const rebate of [...rebatesOf(server)].sort((a, b) => a.day - b.day)) {
    const { day, person, currency, sum } = rebate;
    const key = `${person}.${currency}`;
    const before = sums.get(key) ?? { owed: 0n, paid: 0n };
    const owed = before.owed + sum;
    const whole = owed / pow10(SHARE_SCALE - scaleOf(currency));
    const due = whole > before.paid ? whole - before.paid : 0n;
    if (unitsOf(rebate) !== due)
      problems.push(`I3 the rebate of ${key} for day ${day} is ${unitsOf(rebate)} units instead of ${due}`);
    sums.set(key, { owed, paid: before.paid + unitsOf(rebate) });
  }
  const owed = owedBy(exchangeFees(server), facts);
  // An overnight fee may come when all else is quiet: it counts in the day that is open.
  const open = new Map<string, bigint>();
  for (const { person, currency, sum } of server.rows<OwedDay>(OWED))
    open.set(`${person}.${currency}`, (open.get(`${person}.${currency}`) ?? 0n) + sum);
  for (const key of new Set([...sums.keys(), ...open.keys(), ...owed.keys()])) {
    const [settled, waits, whole] = [sums.get(key)?.owed ?? 0n, open.get(key) ?? 0n, owed.get(key) ?? 0n];
    if (settled + waits !== whole)
      problems.push(`I3 ${key} was settled ${settled} and ${waits} waits of shares of ${whole}`);
  }
  for (const { person, currency, amount } of server.rows<{ person: number; currency: number; amount: bigint }>(CARRY)) {
    const { owed: settled, paid } = sums.get(`${person}.${currency}`) ?? { owed: 0n, paid: 0n };
    const left = settled - paid * pow10(SHARE_SCALE - scaleOf(currency));
    if (amount !== left) problems.push(`I3 ${person}.${currency} carries ${amount} on, and ${left} is left`);
  }
  return problems;
}

/** Each day, person and coin is paid by one journal. */
function wrongJournals({ server, journals }: SimulatedEnd<Running>): string[] {
  const paid = rebatesOf(server).filter(({ state }) => state === 'paid');
  const wanted = new Set(paid.map(({ day, person, currency }) => `${day}:${person}:${currency}`));
  const problems: string[] = [];
  for (const { causeType, causeId, id } of journals)
    if (causeType === REBATE_CAUSE && !wanted.delete(causeId))
      problems.push(`I3 journal ${id} pays a rebate that was paid already, or is none`);
  return [...problems, ...[...wanted].map((name) => `I3 rebate ${name} was paid by no journal`)];
}

/** Whether the team has read all facts. */
const hasRead = (server: SimulatedTables): boolean =>
  hasReadAll(server, 'points.team-people', TOPICS.peopleFacts) &&
  hasReadAll(server, 'points.team-ledger', TOPICS.ledgerFacts);

export const TEAM_PART: SimulatedPart<Running> = {
  name: 'team',
  reads: [TOPICS.peopleFacts, TOPICS.ledgerFacts],
  topics: () => ({ [TOPICS.peopleFacts]: 1 }),
  start,
  prepare,
  operate,

  isSettled: ({ server }) =>
    hasRead(server) && server.rows(OWED).length === 0 && rebatesOf(server).every(({ state }) => state !== 'paying'),
  holds: () => new Map(),

  moves: ({ server }) =>
    rebatesOf(server)
      .filter(({ state }) => state === 'paid')
      .flatMap((rebate): SimulatedMove[] => [
        { whose: rebate.person, currency: rebate.currency, units: unitsOf(rebate) },
        { whose: 'h.fees', currency: rebate.currency, units: -unitsOf(rebate) },
      ]),

  check(end) {
    const { server } = end;
    const facts = readFacts(server);
    return [
      ...wrongSums(server, facts),
      ...wrongRebates(server, facts),
      ...wrongJournals(end),
      ...server.rows<FeePaid>(WAITING).map(({ journal }) => `I3 the fee of ${journal} waits, and all have registered`),
    ];
  },

  figures: (server) => ({
    'team deposits': server.rows(DEPOSIT).length,
    'rises of rank': membersOf(server).filter(({ rank }) => rank > 0).length,
    'paid rebates': rebatesOf(server).filter(({ state }) => state === 'paid').length,
  }),
};
