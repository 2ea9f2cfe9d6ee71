// The service as the simulator runs it: its use cases over tables in memory, a recorder of prices, and its invariants.
// Only the simulator imports this.
import type { MicroDirection } from '@bourse/formulas';
import { TOPICS } from '@bourse/events';
import type { SimulatedCall, SimulatedMove, SimulatedService, SimulatedTables } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { SEED_PAIRS } from '@bourse/contract';
import { WrittenAmount, type Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { Contracts, FreshPrices } from './contracts/application/contracts.js';
import { MICRO_MAX_OPEN } from './contracts/application/settings.js';
import { Policies } from './insurance/application/policies.js';
import { Settlement } from './contracts/application/settlement.js';
import { Ticks } from './ticks/application/ticks.js';
import { holdOf, judgementOf, openingOf, payoutOf, reserveOf, type Contract } from './contracts/domain/contract.js';
import type { Tick } from './ticks/domain/tick.js';
import { recordSecond } from './simulation/recorder.js';
import {
  CONTRACT,
  COUNT,
  RESERVE,
  SCHEMA,
  SimulatedDurations,
  SimulatedContracts,
  SimulatedPolicies,
  SimulatedTicks,
  TICK,
  type Count,
  type Reserve,
} from './simulation/stores.js';
import type { MicroDatabase } from './shared/application/database.js';

const CURRENCY = 3;
const SCALE = 8;
const MARKETS = SEED_PAIRS.filter(({ openMicro }) => openMicro).slice(0, 2);

const settings = new FixedSettings();
class AlwaysFresh extends FreshPrices {
  isFresh(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

const contractsOf = (server: SimulatedTables): readonly Contract[] => server.rows<Contract>(CONTRACT);

/** Contracts are taken, open and close by recorded prices. */
export const SIMULATED: SimulatedService<Contracts> = {
  service: 'micro-settlement',
  schema: SCHEMA,
  sagas: true,
  reads: [TOPICS.marketTicks],
  topics: () => ({ [TOPICS.marketTicks]: 1 }),

  start({ database, sagas, log, clock, alarms, reference, random }) {
    const store = new SimulatedContracts();
    const tickStore = new SimulatedTicks(database);
    const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
    const ticks = new Ticks(tickStore, alarms, settings, clock);
    const policies = new Policies(sagas, new SimulatedPolicies(), clock);
    const contracts = new Contracts(
      sagas,
      sagas.commands,
      store,
      policies,
      new SimulatedDurations(),
      reference,
      new AlwaysFresh(),
      settings,
      clock,
      ids,
    );
    const own = database as unknown as MicroDatabase;
    const settlement = new Settlement(sagas, log, own, store, tickStore, policies, clock, ticks);
    log.consume({
      consumer: 'micro-settlement.ticks',
      topic: TOPICS.marketTicks,
      database,
      handle: (messages, tx) => ticks.take(messages, tx),
    });
    settlement.onApplicationBootstrap();
    const symbols = MARKETS.map(({ symbol }) => symbol);
    // A second that a fault kept from being recorded is a gap, like one of an unavailable feed.
    setInterval(() => void recordSecond(database, symbols).catch(() => undefined), 500);
    return contracts;
  },

  draw(random, user): SimulatedCall<Contracts> {
    const units = random.chance(0.1) ? 10n ** 12n : BigInt(10 * 10 ** SCALE + random.int(90 * 10 ** SCALE));
    const number = formatUnits(units, SCALE);
    const direction: MicroDirection = random.pick(['up', 'down']);
    const [matchId, seconds] = [random.pick(MARKETS).id, random.pick([2, 6])];
    const fields = { number, direction, matchId, seconds };
    return {
      fields: { call: 'submit', ...fields },
      run: (contracts, context) =>
        contracts.submit(
          user,
          {
            matchId,
            currencyId: CURRENCY,
            direction,
            seconds,
            number: new WrittenAmount(number, 'number', { key: 'miscro.openNum' }),
          },
          context,
        ),
    };
  },

  isSettled: ({ server }) => contractsOf(server).every(({ state }) => state === 'closed'),

  /** Of one hold's name the ledger has two: the stake of the person and the reserve of the house. */
  holds: (server) =>
    new Map(
      contractsOf(server)
        .filter(({ state }) => state === 'opening' || state === 'running')
        .map((contract) => [holdOf(contract.id), contract.stake + reserveOf(contract)]),
    ),

  moves: ({ server }) =>
    contractsOf(server).flatMap((contract): SimulatedMove[] => {
      const { userId, stake, fee, state, result } = contract;
      if (state === 'waiting') return [];
      const back = result === null ? stake : payoutOf(contract, result);
      const kept = result === 'void' ? 0n : fee;
      const move = (whose: number | string, units: bigint): SimulatedMove => ({ whose, currency: CURRENCY, units });
      const gain = result === null ? -fee : back - stake - fee;
      return [move(userId, gain), move('h.fees', kept), move('h.micro', -gain - kept)];
    }),

  check({ server, calls }) {
    const problems: string[] = [];
    const contracts = new Map(contractsOf(server).map((contract) => [contract.id, contract]));
    const ticks = server.rows<Tick>(TICK);
    const open = new Map<number, number>();
    const reserved = new Map<string, bigint>();
    for (const contract of contracts.values()) {
      const { id, userId, state, matchId, currencyId } = contract;
      if (state === 'waiting') problems.push(`I3 contract ${id} stays in between`);
      if (state === 'closed') problems.push(...judged(contract, ticks));
      else {
        open.set(userId, (open.get(userId) ?? 0) + 1);
        const key = `${matchId} ${currencyId}`;
        reserved.set(key, (reserved.get(key) ?? 0n) + reserveOf(contract));
      }
    }
    for (const { userId, contracts: counted } of server.rows<Count>(COUNT)) {
      if (counted !== (open.get(userId) ?? 0))
        problems.push(`I3 ${counted} contracts are counted for ${userId}, ${open.get(userId) ?? 0} are open`);
      if (counted > MICRO_MAX_OPEN.initial) problems.push(`I3 ${userId} has ${counted} contracts open`);
    }
    for (const { key, reserved: counted } of server.rows<Reserve>(RESERVE))
      if (counted !== (reserved.get(key) ?? 0n))
        problems.push(`I3 ${counted} is reserved in ${key}, contracts need ${reserved.get(key) ?? 0n}`);
    for (const { told: answers } of calls)
      for (const answer of answers) {
        if (answer.kind !== 'ok') continue;
        if (!contracts.has(answer.id)) problems.push(`I6 contract ${answer.id} was told ok and is not there`);
      }
    for (const { told: answers } of calls)
      if (answers.some(({ kind }) => kind === 'ok') && answers.some(({ kind }) => kind === 'refused'))
        problems.push('I6 a contract was answered with ok and with a refusal under one command id');
    return problems;
  },

  figures: (server) => ({
    contracts: contractsOf(server).length,
    judged: contractsOf(server).filter(({ result }) => result !== null && result !== 'void').length,
    void: contractsOf(server).filter(({ result }) => result === 'void').length,
  }),
};

/** Judges a contract by all recorded ticks, compared at the end with its settlement. */
function judged(contract: Contract, all: readonly Tick[]): string[] {
  const { id, acceptedAt, openTickId, result, profits, endPrice } = contract;
  const ticks = all.filter(({ symbol }) => symbol === contract.symbol);
  const opening = openingOf(acceptedAt!, ticks, Number.POSITIVE_INFINITY);
  if (opening === 'void' || opening === null)
    return result === 'void' && openTickId === null ? [] : [`I8 contract ${id} opened without a tick`];
  if (openTickId !== opening.id) return [`I8 contract ${id} opened by tick ${openTickId}, not by ${opening.id}`];
  const judgement = judgementOf(contract, ticks, Number.POSITIVE_INFINITY);
  return judgement?.result === result && judgement.profits === profits && judgement.endPrice === endPrice
    ? []
    : [`I8 contract ${id} ended as ${result}, its ticks say ${judgement?.result}`];
}
