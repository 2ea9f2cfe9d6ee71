import { Injectable, Logger } from '@nestjs/common';
import { Commands, Sagas, type Moves } from '@bourse/ledger-client';
import { formatTrimmed } from '@bourse/money';
import { Clock, Notice, Refused, type CallContext, Ids } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { credited, dayOf, POINTS_SCALE } from '../domain/points-account.js';
import type { Binding } from '../domain/points-binding.js';
import { bindingOrder } from './points-journals.js';
import { PointsProgram, PointsStore, ProgramUnavailable, type BindingVerdict } from './points-ports.js';
import { JC_BIND_MAX } from './points-settings.js';
import { PointsDatabase } from '../../shared/application/database.js';
import type { Tx } from '@bourse/persistence';

/** Fields of a binding, in the order in which they are refused. */
export interface BindingRequest {
  readonly userName: string;
  readonly password: string;
}
type Yes = Extract<BindingVerdict, { readonly kind: 'bound' }>;

/**
 * Binds accounts of the third party (rules §10). The try is stored before the third party is called, and the third
 * party knows it by its reference: whichever process dies in between, `BindingRecovery` releases the reference there,
 * and the balance is credited only in the transaction that also makes the binding, by a journal that bears the
 * reference.
 */
@Injectable()
export class PointsBindings {
  private readonly logger = new Logger('PointsBindings');
  private readonly credits: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly database: PointsDatabase,
    private readonly store: PointsStore,
    private readonly program: PointsProgram,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.credits = sagas.defineMove({ name: 'points.bind', onBooked: (tx, object) => this.book(tx, object) });
  }

  /**
   * @throws Refused `jc.closed` without a third party, `jc.bound` for a person who is bound already and for an account
   * that another person has bound, `jc.bindFailed`, `common.unavailable` while the third party gives no answer: then
   * nothing was done.
   */
  bind(userId: number, { userName, password }: BindingRequest, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        if (!this.program.isOpen) throw new Refused('jc.closed');
        const reference = await this.open(userId, userName);
        const verdict = await this.verdictOn(reference, { userName, password });
        if (verdict.kind === 'bound') return { reference, verdict };
        await this.forget(reference);
        throw verdict.kind === 'wrong' ? new Refused('jc.bindFailed', {}, { field: 'user_name' }) : alreadyBound();
      },
      decide: async (tx, { reference, verdict }) => {
        await this.accept(tx, reference, verdict);
        const answer = new Notice('jc.boundNow');
        if (verdict.points > 0n)
          return this.credits.move({
            object: reference,
            command: bindingOrder(userId, reference, verdict.points),
            answer,
          });
        await this.book(tx, reference);
        return answer;
      },
    });
  }

  /** Stores the try. @throws Refused */
  private async open(userId: number, userName: string): Promise<string> {
    const binding: Binding = {
      ...{ reference: this.ids.next(), userId, userName, account: null, points: 0n, free: 0n },
      state: 'asking',
      boundAt: null,
    };
    const isFirst = await this.database.transaction((tx) => this.store.insertBinding(tx, binding));
    if (isFirst) return binding.reference;
    const before = await this.store.binding(userId);
    if (before?.state === 'bound' || before?.state === 'crediting') throw alreadyBound();
    // An earlier try is being reversed, or is calling the third party now.
    throw unavailable();
  }

  private async verdictOn(reference: string, request: BindingRequest): Promise<BindingVerdict> {
    try {
      const verdict = await this.program.bind({ reference, ...request });
      if (verdict.kind !== 'bound') return verdict;
      const most = this.settings.get(JC_BIND_MAX);
      if (verdict.points <= most) return verdict;
      const points = formatTrimmed(verdict.points, POINTS_SCALE);
      this.logger.error(`the third party gives ${points} points under ${reference}: more than jc_bind_max`);
    } catch (error) {
      if (!(error instanceof ProgramUnavailable)) throw error;
      this.logger.warn(`whether the third party has bound ${reference} is not known: ${error.message}`);
    }
    await this.giveUp(reference);
    throw unavailable();
  }

  /** Gives up this try: `BindingRecovery` reverses what the third party may have done. */
  private giveUp(reference: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const binding = await this.store.lockBinding(tx, reference);
      if (binding?.state === 'asking') await this.store.saveBinding(tx, { ...binding, state: 'voiding' });
    });
  }

  private forget(reference: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const binding = await this.store.lockBinding(tx, reference);
      if (binding?.state === 'asking') await this.store.dropBinding(tx, reference);
    });
  }

  /** The third party has accepted: from here on the balance is credited. @throws Refused when the try was given up */
  private async accept(tx: Tx, reference: string, { account, points, free }: Yes): Promise<void> {
    const binding = await this.store.lockBinding(tx, reference);
    if (binding?.state !== 'asking') throw unavailable();
    const accepted: Binding = { ...binding, account, points, free, state: 'crediting', boundAt: this.clock.now() };
    // The third party has bound it to us twice; the earlier binding remains, and this one is released there.
    if (!(await this.store.saveBinding(tx, accepted))) throw alreadyBound();
  }

  /** The ledger has the points. */
  private async book(tx: Tx, reference: string): Promise<void> {
    const binding = await this.store.lockBinding(tx, reference);
    if (binding?.state !== 'crediting' || binding.boundAt === null)
      throw new Error(`invariant: binding ${reference} does not wait for the ledger`);
    const { userId, points, free, boundAt } = binding;
    const account = await this.store.lockAccount(tx, userId);
    await this.store.saveAccount(tx, credited(account, points, free, dayOf(boundAt)));
    await this.store.saveBinding(tx, { ...binding, state: 'bound' });
  }
}

const alreadyBound = (): Refused => new Refused('jc.bound', {}, { field: 'user_name' });
const unavailable = (): Refused => new Refused('common.unavailable', {}, { status: 503, retryAfterSeconds: 5 });
