import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import type { Scene } from '../domain/code.js';
import { AuthDatabase, Codes, type CodeVerdict } from './ports.js';

/** The refusal for a code that was judged, or null when it is right. */
export function codeRefusal(verdict: CodeVerdict): Refused | null {
  if (verdict.kind === 'wrong') return new Refused('code.wrong', { left: verdict.left }, { field: 'code' });
  return verdict.kind === 'expired' ? new Refused('code.expired', {}, { field: 'code' }) : null;
}

@Injectable()
export class JudgeCode {
  constructor(
    private readonly database: AuthDatabase,
    private readonly codes: Codes,
    private readonly clock: Clock,
  ) {}

  /** Judges a code before an effect that will use it up: the try counts even when the effect is refused. Answers the code's id; throws `code.wrong`, `code.expired`. */
  async execute(nameKey: string, scene: Scene, digits: string): Promise<string> {
    const verdict = await this.database.transaction((tx) =>
      this.codes.judge(tx, nameKey, scene, digits, this.clock.sessions()),
    );
    const refusal = codeRefusal(verdict);
    if (refusal) throw refusal;
    if (verdict.kind !== 'right') throw new Error('invariant: a code without refusal is right');
    return verdict.id;
  }

  /** Uses the code up in the transaction of its effect; throws `code.expired` when somebody else has. */
  async consume(tx: Tx, id: string): Promise<void> {
    if (!(await this.codes.consume(tx, id, this.clock.sessions())))
      throw new Refused('code.expired', {}, { field: 'code' });
  }

  /** `check_mobile` and `check_email`: judges without using up; a name or scene left out means the last code sent from the caller's network address. */
  async check(
    kind: 'email' | 'mobile',
    digits: string,
    {
      name,
      scene,
      ip,
    }: { readonly name?: AccountName | undefined; readonly scene?: Scene | undefined; readonly ip: string },
  ): Promise<void> {
    const target =
      name && scene
        ? { nameKey: name.key, scene }
        : await this.codes.last(this.database, { kind, nameKey: name?.key, scene, ip });
    if (!target) throw new Refused('code.wrong', { left: 0 }, { field: 'code' });
    await this.execute(target.nameKey, target.scene, digits);
  }
}
