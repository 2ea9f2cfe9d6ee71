import { Injectable } from '@nestjs/common';
import { DEMO_FUND_PASSWORD, DEMO_PEOPLE } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { Clock, Config, WrittenAmount, type Caller } from '@bourse/platform';
import { CASH_SCALE } from '../domain/acceptor-deal.js';
import { AcceptorAdmin } from './admin.js';
import { AcceptorCommands } from './acceptor-commands.js';
import { AcceptorGrants } from './grants.js';
import { AcceptorStore } from './ports.js';
import { DemoSeed } from '../../shared/application/demo-seed.js';
import { C2cDatabase } from '../../shared/application/database.js';

const SEEDED = 'seed.acceptors';
const NAME = 'Pier One';
const RATE = '2';
const CASH = '50000';
/** The operator of the seed: on a demo install no two operators agree on the grant. */
const FINANCE = { userId: 0, accountNumber: 'demo', kind: 'operator' } as Caller;
const REASON = 'the acceptor of the demo install';

const toRate = (field: string): WrittenAmount => new WrittenAmount(RATE, field, {});

/**
 * Creates the acceptor of a demo install (rules §17), step by step as finance and the acceptor would; the posted coins
 * come with the demo balances.
 */
@Injectable()
export class DemoAcceptor extends DemoSeed {
  constructor(
    private readonly database: C2cDatabase,
    private readonly store: AcceptorStore,
    private readonly admin: AcceptorAdmin,
    private readonly commands: AcceptorCommands,
    private readonly grants: AcceptorGrants,
    clock: Clock,
    config: Config,
  ) {
    super('demo acceptor', config, clock);
  }

  protected async createMissing(): Promise<void> {
    const person = DEMO_PEOPLE.find(({ isAcceptor }) => isAcceptor);
    if (!person || (await this.isSeeded())) return;
    const { id: userId, email } = person;
    if (!(await this.store.findByUser(userId))) {
      const rates = { rechargeRate: toRate('recharge_rate'), cashRate: toRate('cash_rate') };
      await this.admin.save(FINANCE, { userId, name: NAME, ...rates, reason: REASON }, this.createContext());
    }
    const payment = {
      wechatNickname: NAME,
      wechatAccount: `wx-${userId}`,
      aliNickname: NAME,
      aliAccount: email,
      bankName: 'Harbour Bank',
      bankAccount: `0000 1234 ${userId}`,
      bankAddress: 'Pier 1, Lisbon',
    };
    const acceptor = { userId, isAcceptor: true } as Caller;
    await this.commands.setPayment(acceptor, { ...payment, password: DEMO_FUND_PASSWORD }, this.createContext());
    await this.grants.grantCash(userId, toUnits(CASH, CASH_SCALE));
    const mark = `insert into meta (name, value) values ($1, 'done') on conflict do nothing`;
    await this.database.execute(mark, [SEEDED]);
  }

  /** Operators may have changed an acceptor that was created before. */
  private async isSeeded(): Promise<boolean> {
    return (await this.database.query('select 1 from meta where name = $1', [SEEDED])).length > 0;
  }
}
