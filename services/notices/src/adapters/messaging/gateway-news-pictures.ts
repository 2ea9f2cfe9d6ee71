import { Injectable } from '@nestjs/common';
import { Asks, gatewayAsks } from '@bourse/messaging';
import { NewsPictures } from '../../application/news-ports.js';

/** The gateway keeps them. */
@Injectable()
export class GatewayNewsPictures extends NewsPictures {
  constructor(private readonly asks: Asks) {
    super();
  }

  async claim(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const answer = await this.asks.ask(gatewayAsks.newsPictures, { names });
    return new Set(answer.names);
  }
}
