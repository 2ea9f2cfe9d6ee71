import { Injectable } from '@nestjs/common';
import { SAVINGS_DAY_MS } from '@bourse/formulas';
import { AuditPart } from '@bourse/messaging';
import { MATURITY } from '../../application/maturities.js';
import { HOLD_PREFIX } from '../../domain/subscription.js';

const DAY = `interval '${SAVINGS_DAY_MS} milliseconds'`;

/** The audit checks of fixed terms. The person's amount and the house's profit have one hold name. */
@Injectable()
export class SavingsPartAudit extends AuditPart {
  readonly prefixes = [HOLD_PREFIX];
  readonly holds = `select '${HOLD_PREFIX}:' || id, currency_id, amount + profit
    from subscription where state = 'accruing'`;
  readonly checks = {
    deadlines: {
      says: 'every subscription that accrues has a deadline at its end',
      wrong: `select 'subscription ' || s.id as what from subscription s
        where s.state = 'accruing' and not exists (
          select from timer t
            where t.kind = '${MATURITY}' and t.id = (extract(epoch from s.end_at) * 1000)::bigint::text)`,
    },
    terms: {
      says: 'terms start with the midnight after their acceptance and are as long as agreed',
      wrong: `select 'subscription ' || id as what from subscription
        where state <> 'waiting' and (start_at <> date_bin(${DAY}, created_at, timestamptz 'epoch') + ${DAY}
          or end_at <> start_at + day * ${DAY})`,
    },
    profits: {
      says: 'the reserved profit of each subscription is what its amount and rate say',
      wrong: `select 'subscription ' || id as what from subscription
        where state <> 'waiting' and profit <> trunc(amount * rate * 0.01, scale)`,
    },
  };
}
