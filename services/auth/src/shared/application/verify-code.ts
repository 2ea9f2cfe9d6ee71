import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, SecurityLog } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import type { Scene } from '../domain/code.js';
import { codeRequesters, type CodeRequesters } from './device.js';
import { AuthDatabase } from './ports/database.js';
import type { Origin } from './ports/sessions.js';
import { Codes, type CodeVerdict } from './ports/verification-codes.js';

/** The refusal for a code that was checked, or null when it is right. */
export function codeRefusal(verdict: CodeVerdict): Refused | null {
  if (verdict.kind === 'right') return null;
  if (verdict.kind === 'wrong') return new Refused('code.wrong', { left: verdict.left }, { field: 'code' });
  return codeExpired();
}
export const codeExpired = (): Refused => new Refused('code.expired', {}, { field: 'code' });

/** An entered code and its person: a code is valid only for its requester (0052). */
export interface EnteredCode {
  readonly nameKey: string;
  readonly scene: Scene;
  readonly digits: string;
}

@Injectable()
export class VerifyCode {
  constructor(
    private readonly database: AuthDatabase,
    private readonly codes: Codes,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Checks a code before the effect that will use it up: the try counts even when the effect is refused. Returns the
   * code's id; throws `code.wrong`, `code.expired`.
   */
  async execute(code: EnteredCode, askers: CodeRequesters): Promise<string> {
    const verdict = await this.database.transaction((tx) => this.codes.verify(tx, code, askers, this.clock.sessions()));
    if (verdict.kind === 'right') return verdict.id;
    this.log.record('code.wrong', { scene: code.scene, verdict: verdict.kind });
    throw codeRefusal(verdict) ?? new Error('invariant: a code that is not right is refused');
  }

  /** Uses the code up in the transaction of its effect; throws `code.expired` when it was used concurrently. */
  async consume(tx: Tx, id: string): Promise<void> {
    if (!(await this.codes.consume(tx, id, this.clock.sessions()))) throw codeExpired();
  }

  /**
   * `check_mobile` and `check_email`: checks without using up; without a name or scene it checks the last code that was
   * sent to the caller.
   */
  async check(
    kind: 'email' | 'mobile',
    digits: string,
    {
      name,
      scene,
      userId,
      origin,
    }: {
      readonly name?: AccountName | undefined;
      readonly scene?: Scene | undefined;
      readonly userId: number | null;
      readonly origin: Origin;
    },
  ): Promise<void> {
    const askers = codeRequesters(userId, origin);
    const target =
      name && scene
        ? { nameKey: name.key, scene }
        : await this.codes.last(this.database, { kind, nameKey: name?.key, scene, askers });
    // A caller without a sent code is checked like any other, against a code that does not exist.
    const code = target ?? { nameKey: name?.key ?? kind, scene: scene ?? 'login' };
    await this.execute({ nameKey: code.nameKey, scene: code.scene, digits }, askers);
  }
}
