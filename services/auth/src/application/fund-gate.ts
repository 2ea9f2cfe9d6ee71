import { Injectable } from '@nestjs/common';
import { Refused } from '@bourse/platform';
import { FundPassword } from './fund-password.js';

/** Stands before auth's own calls that need the fund password, as the last of their fields (rules §8.6). */
@Injectable()
export class FundGate {
  constructor(private readonly fund: FundPassword) {}

  /** Throws `fund.required` (996), `fund.notSet`, `fund.mustReset`, `fund.wrong` {left}, `fund.locked` {seconds}. */
  async require(userId: number, password: string | undefined): Promise<void> {
    if (password === undefined) throw new Refused('fund.required', {}, { field: 'password' });
    const verdict = await this.fund.verify(userId, password);
    if (!verdict.ok) throw new Refused(verdict.key, verdict.params, { field: 'password' });
  }
}
