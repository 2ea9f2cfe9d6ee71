import { Injectable } from '@nestjs/common';
import { FindPart, isRowId, type FoundThing } from '@bourse/messaging';
import { AppealStore } from './ports.js';

/** Finds appeals for operators: by their own ids, and by the ids of their deals. */
@Injectable()
export class AppealFinder extends FindPart {
  constructor(private readonly appeals: AppealStore) {
    super();
  }

  async find(text: string): Promise<readonly FoundThing[]> {
    if (!isRowId(text)) return [];
    const [own, ofDeal] = await Promise.all([this.appeals.find(text), this.appeals.listOfDeal(text)]);
    return [...(own === null ? [] : [own]), ...ofDeal].map(({ id, dealId }) => ({
      kind: 'appeal',
      id,
      userId: 0,
      title: dealId,
      role: 'support',
    }));
  }
}
