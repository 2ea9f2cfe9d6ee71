import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { Books, EXPORTS } from '../../application/books/books.js';

/** What the gateway asks for operators: pieces of exports, and what waits for them. */
@Injectable()
export class BooksAsks {
  constructor(asks: Asks, books: Books) {
    asks.handle(
      'wallet-ledger.export',
      async ({ what, from, to, after }: { what: string; from: number; to: number; after: string | null }) => {
        const known = EXPORTS.find((candidate) => candidate === what);
        if (known === undefined) throw new Refused('common.fieldInvalid', { field: 'what' }, { field: 'what' });
        return books.piece(known, from, to, after);
      },
      ['gateway'],
    );
    asks.handle('wallet-ledger.work', () => books.work(), ['gateway']);
  }
}
