import { Injectable } from '@nestjs/common';
import type { DepthView } from '@bourse/events';
import { Views } from '@bourse/messaging';

/** The newest published book of each pair. */
@Injectable()
export class PublishedBooks {
  private readonly books = new Map<string, DepthView>();

  constructor(views: Views) {
    views.subscribe('depth/', (view: DepthView) => {
      this.books.set(view.symbol, view);
    });
  }

  /** Undefined until its market has published one. */
  get(symbol: string): DepthView | undefined {
    return this.books.get(symbol);
  }
}
