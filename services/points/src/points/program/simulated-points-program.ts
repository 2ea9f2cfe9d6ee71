import { DEMO_POINTS_PROGRAM } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import {
  PointsProgram,
  ProgramUnavailable,
  type BindingClaim,
  type BindingVerdict,
} from '../application/points-ports.js';
import { POINTS_SCALE } from '../domain/points-account.js';

const NUMBERED = /^([a-z]+)(?:[1-9]\d{0,3})?$/;

/**
 * Plays the third party of a demo install (rules §17), by its protocol: one reference binds one account, asked as often
 * as one likes, and a reference that was released binds nothing any more. Beside the account of the rules there are
 * numbered ones like it (`jcdemo2`), so that every person of the demo can bind one. It forgets all at a restart; the
 * exchange does not.
 */
export class SimulatedPointsProgram extends PointsProgram {
  readonly isOpen = true;
  private readonly accounts = new Map<string, string>();
  private readonly references = new Map<string, string | null>();

  bind({ reference, userName, password }: BindingClaim): Promise<BindingVerdict> {
    const { account, silent, password: right, points, free } = DEMO_POINTS_PROGRAM;
    if (userName === silent) return Promise.reject(new ProgramUnavailable('the simulator plays one that is down'));
    if (NUMBERED.exec(userName)?.[1] !== account || password !== right) return Promise.resolve({ kind: 'wrong' });
    const before = this.references.get(reference);
    if (before === null) return Promise.reject(new ProgramUnavailable(`${reference} was released`));
    const holder = this.accounts.get(userName);
    if (holder !== undefined && holder !== reference) return Promise.resolve({ kind: 'taken' });
    this.accounts.set(userName, reference);
    this.references.set(reference, userName);
    return Promise.resolve({
      kind: 'bound',
      account: userName,
      points: toUnits(points, POINTS_SCALE),
      free: toUnits(free, POINTS_SCALE),
    });
  }

  release(reference: string): Promise<void> {
    const account = this.references.get(reference);
    if (account) this.accounts.delete(account);
    this.references.set(reference, null);
    return Promise.resolve();
  }
}

/** An install without a third party: nothing can be bound. */
export class ClosedPointsProgram extends PointsProgram {
  readonly isOpen = false;
  bind(): Promise<never> {
    return Promise.reject(new ProgramUnavailable('this install has no third party'));
  }
  release(): Promise<void> {
    return Promise.resolve();
  }
}
