import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type Profit } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { Reference } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText, type Page } from '@bourse/platform';
import { dayText } from '../domain/rebate.js';
import { RebateStore } from './rebate-ports.js';
import { coinOf } from './team-coins.js';

/** A person's earnings from their team, as they read them (api §2.9). */
@Injectable()
export class ProfitList {
  constructor(
    private readonly store: RebateStore,
    private readonly reference: Reference,
  ) {}

  async of(person: number, page: Page, lang: string): Promise<DataPage<Profit>> {
    return toDataPage(await this.store.ofPerson(person, page), page, ({ id, day, currency, amount, paidAt }) => {
      const { scale, name } = coinOf(this.reference, currency);
      return {
        id,
        value: formatUnits(toUnits(amount, scale), scale),
        currency_name: name,
        info: translate(lang, 'profit.rebate', { day: dayText(day) }),
        created_time: timeText(paidAt),
      };
    });
  }
}
