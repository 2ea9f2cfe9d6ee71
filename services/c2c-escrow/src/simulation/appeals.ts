// Appeals in the simulation: both sides open and withdraw, sellers do not answer, operators decide.
import type { OwnUploads, SecondPerson } from '@bourse/messaging';
import type { SimulatedHost, SimulatedTables } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import type { CallContext, Caller } from '@bourse/platform';
import type { FixedSettings } from '@bourse/settings';
import type { Ids } from '@bourse/platform';
import { AppealDecisions } from '../appeals/application/decisions.js';
import { AppealRecorder } from '../appeals/application/appeal-recorder.js';
import { APPEAL_TWO_PERSON, TWO_PERSON_SCALE } from '../appeals/application/settings.js';
import { AppealTrail } from '../appeals/application/audit-trail.js';
import { AppealViews } from '../appeals/application/views.js';
import { AppealDueTimers } from '../appeals/application/due-timers.js';
import { Appeals } from '../appeals/application/appeals.js';
import type { ChatWriter } from '../chat/application/chat-writer.js';
import type { DealCommands } from '../deals/application/deal-commands.js';
import { DealLog, SellerResponseTimeout } from '../deals/application/hooks.js';
import type { AdStore, DealStore } from '../deals/application/ports.js';
import type { DealPushes } from '../deals/application/events.js';
import type { Escrow } from '../deals/application/escrow.js';
import { LateAppeals } from '../appeals/application/late-appeals.js';
import type { C2cDatabase } from '../shared/application/database.js';
import { AutoAppeals, SELLER_TIMER } from '../appeals/application/auto-appeals.js';
import type { Appeal } from '../appeals/domain/appeal.js';
import { buyerOf, sellerOf, type Deal } from '../deals/domain/deal.js';
import { APPEAL, SimulatedAppeals } from './appeal-stores.js';

/** Time to answer of a seller in the simulation. */
const SILENT_MS = 3_000;
/** The amount above which two operators decide: some deals are larger, some are not. */
const TWO_PERSON = '20';
const REASON = 'in the simulator';

/** A seller's time to answer ends within seconds. */
export class QuickSellerTimeout extends SellerResponseTimeout {
  constructor(private readonly timers: Timers) {
    super();
  }
  start(tx: Tx, dealId: string, since: number): Promise<void> {
    return this.timers.set(tx, SELLER_TIMER, dealId, since + SILENT_MS);
  }
  async stop(tx: Tx, dealId: string): Promise<void> {
    await this.timers.cancel(tx, SELLER_TIMER, dealId);
  }
}
/** Chats are not simulated. */
class NoDealLog extends DealLog {
  addLine(): Promise<void> {
    return Promise.resolve();
  }
}

/** Services that appeals share with the deals of their process. */
export interface DealServices {
  readonly ads: AdStore;
  readonly deals: DealStore;
  readonly commands: DealCommands;
  readonly escrow: Escrow;
  readonly pushes: DealPushes;
  readonly sellerTimeout: SellerResponseTimeout;
  readonly timers: Timers;
  readonly settings: FixedSettings;
  readonly ids: Ids;
}

/** The use cases of appeals in a process, and the actions of people on them. */
export class AppealsRunning {
  private readonly store: SimulatedAppeals;
  private readonly appeals: Appeals;
  private readonly decisions: AppealDecisions;

  constructor(
    private readonly host: SimulatedHost,
    services: DealServices,
  ) {
    const { sagas, clock } = host;
    const { ads, deals, commands, escrow, pushes, sellerTimeout, timers, settings, ids } = services;
    const database = host.database as unknown as C2cDatabase;
    settings.set(APPEAL_TWO_PERSON, toUnits(TWO_PERSON, TWO_PERSON_SCALE));
    this.store = new SimulatedAppeals(host.database);
    const uploads = { own: () => Promise.resolve(null) } as unknown as OwnUploads;
    const dueTimers = new AppealDueTimers(this.store, timers, clock);
    const recorder = new AppealRecorder(
      this.store,
      deals,
      new NoDealLog(),
      pushes,
      dueTimers,
      sellerTimeout,
      uploads,
      clock,
    );
    const late = new LateAppeals(sagas, this.store, deals, ads, recorder, escrow);
    const views = new AppealViews(this.store, { signLink: () => '' } as unknown as ChatWriter);
    this.appeals = new Appeals(
      database,
      this.store,
      deals,
      recorder,
      late,
      views,
      sagas.commands,
      settings,
      ids,
      clock,
    );
    new AutoAppeals(timers, deals, recorder, settings, ids);
    const second = {
      is: (operatorId: number, others: readonly number[]) => Promise.resolve(!others.includes(operatorId)),
    } as unknown as SecondPerson;
    const trail = new AppealTrail(this.store, clock);
    this.decisions = new AppealDecisions(
      ...([sagas.commands, this.store, deals, ads, commands, escrow, recorder, trail, views] as const),
      ...([second, settings, clock] as const),
    );
  }

  /** A random action on a deal; not always an allowed one. */
  async act(deal: Deal, lot: number, context: CallContext): Promise<void> {
    const userId = lot < 0.7 ? buyerOf(deal) : sellerOf(deal);
    const opens = deal.appeal !== 'open' || this.host.random.chance(0.1);
    if (opens) await this.appeals.open(userId, { id: deal.id, reason: REASON }, context);
    else await this.appeals.withdraw(userId, deal.id, 'en');
  }
  /** One of three operators decides an open appeal. */
  async decide(context: CallContext): Promise<void> {
    const { random } = this.host;
    const { rows } = await this.store.list({ states: ['open'] });
    if (rows.length === 0) return;
    const userId = 1 + random.int(3);
    const operator = { userId, accountNumber: `operator${userId}` } as Caller;
    const outcome = random.pick(['buyer', 'seller'] as const);
    await this.decisions.decide(operator, { id: random.pick(rows).id, outcome, reason: REASON }, context);
  }
}

export const listAppeals = (server: SimulatedTables): readonly Appeal[] => server.rows<Appeal>(APPEAL);

/** Differences between deals and their appeals when all is quiet. */
export function findAppealProblems(server: SimulatedTables, deals: readonly Deal[]): string[] {
  const problems: string[] = [];
  const appeals = listAppeals(server);
  for (const deal of deals) {
    const own = appeals.filter(({ dealId }) => dealId === deal.id);
    const kept = own.filter(({ state }) => state !== 'withdrawn');
    if (kept.length > 1) problems.push(`I3 deal ${deal.id} has ${kept.length} appeals that were not withdrawn`);
    const [appeal] = kept;
    if ((appeal?.state ?? 'none') !== deal.appeal)
      problems.push(`I3 deal ${deal.id} says appeal ${deal.appeal}, its appeal ${appeal?.state ?? 'none'}`);
    if (!appeal || appeal.state === 'waiting') continue;
    const ends = { open: 'paid', withdrawn: 'paid', buyer: 'finished', seller: 'cancelled' } as const;
    const wanted = appeal.withEscrow ? ends[appeal.state] : 'cancelled';
    if (deal.state !== wanted)
      problems.push(`I3 appeal ${appeal.id} is ${appeal.state}, its deal ${deal.state} and not ${wanted}`);
  }
  return problems;
}
