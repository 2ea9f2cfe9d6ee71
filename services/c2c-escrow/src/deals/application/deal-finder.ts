import { Injectable } from '@nestjs/common';
import { FindPart, isRowId, type FoundThing } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { DealStore } from './ports.js';

/** Finds deals for operators, by their ids. */
@Injectable()
export class DealFinder extends FindPart {
  constructor(private readonly deals: DealStore) {
    super();
  }

  async find(text: string): Promise<readonly FoundThing[]> {
    const deal = isRowId(text) ? await this.deals.find(text) : null;
    if (deal === null) return [];
    const title = `${formatUnits(deal.number, deal.scale)} ${deal.currencyName}`;
    return [{ kind: 'deal', id: deal.id, userId: deal.takerId, title, role: 'support' }];
  }
}
