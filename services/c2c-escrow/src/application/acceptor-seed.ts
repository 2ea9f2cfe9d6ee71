import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DEMO_PEOPLE } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { Config } from '@bourse/platform';
import { CASH_SCALE } from '../domain/acceptor-deal.js';
import { AcceptorGrants } from './acceptor-grants.js';
import { AcceptorStore } from './acceptor-ports.js';
import { C2cDatabase } from './ports.js';

const SEEDED = 'seed.acceptors';
const NAME = 'Pier One';
const RATE = '2';
const CASH = '50000';

/** Brings the acceptor of rules §17 to a demo install; the coins that are posted come with the demo balances. */
@Injectable()
export class AcceptorSeed implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: C2cDatabase,
    private readonly store: AcceptorStore,
    private readonly grants: AcceptorGrants,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const person = DEMO_PEOPLE.find(({ isAcceptor }) => isAcceptor);
    if (!this.config.dev || !person) return;
    const { id, email } = person;
    const rate = toUnits(RATE, PERCENT_SCALE);
    await this.database.transaction(async (tx) => {
      const marked = `insert into meta (name, value) values ($1, 'done') on conflict do nothing`;
      if ((await tx.execute(marked, [SEEDED])) === 0) return;
      await this.store.save(tx, id, { name: NAME, rechargeRate: rate, cashRate: rate });
      await this.store.setPayment(tx, id, {
        wechatNickname: NAME,
        wechatAccount: `wx-${id}`,
        aliNickname: NAME,
        aliAccount: email,
        bankName: 'Harbour Bank',
        bankAccount: `0000 1234 ${id}`,
        bankAddress: 'Pier 1, Lisbon',
      });
      await this.grants.begin(tx, id, toUnits(CASH, CASH_SCALE));
    });
  }
}
