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
   * Checks a code before the effect that will use it up. Right digits cost no try: a call that fails for another
   * reason can be repeated with them [AUTH-227]. Returns the code's id; throws `code.wrong`, `code.expired`.
   */
  execute(code: EnteredCode, askers: CodeRequesters): Promise<string> {
    return this.verify(code, askers, 'wrong');
  }

  private async verify(code: EnteredCode, askers: CodeRequesters, counts: 'wrong' | 'all'): Promise<string> {
    const verdict = await this.database.transaction((tx) =>
      this.codes.verify(tx, code, askers, this.clock.sessions(), counts),
    );
    if (verdict.kind === 'right') return verdict.id;
    this.log.record('code.wrong', { scene: code.scene, verdict: verdict.kind });
    throw codeRefusal(verdict) ?? new Error('invariant: a code that is not right is refused');
  }

  /**
   * Uses the code up in the transaction of its effect. Throws `code.expired` when it was used concurrently, and
   * `common.unavailable` after the time of the call, whose answer would be lost: nothing is done then, and the call can
   * be repeated with the same code [AUTH-228].
   */
  async consume(tx: Tx, id: string, { validUntil = Infinity }: Pick<Origin, 'validUntil'> = {}): Promise<void> {
    if (this.clock.real() > validUntil) throw new Refused('common.unavailable');
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
    await this.verify({ nameKey: code.nameKey, scene: code.scene, digits }, askers, 'all');
  }
}
