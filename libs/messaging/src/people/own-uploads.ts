import { Injectable } from '@nestjs/common';
import { uploadName } from '@bourse/platform';
import { Asks } from '../ports.js';
import { gatewayAsks } from '../asks/declared/gateway.js';

/** Pictures that people have uploaded before they name them in a call. The gateway keeps them, claimed or not. */
@Injectable()
export class OwnUploads {
  constructor(private readonly asks: Asks) {}

  /**
   * Claims a picture and returns its name, if this person uploaded it for this scene; null for anything else: a
   * placeholder, another person's picture, one of another scene. Throws `AskUnavailable`.
   */
  async own(userId: number, scene: string, address: string | undefined): Promise<string | null> {
    const name = address === undefined ? null : uploadName(address);
    if (name === null) return null;
    const { ok } = await this.asks.ask(gatewayAsks.upload, { name, userId, scene });
    return ok ? name : null;
  }

  /**
   * Removes pictures for good, by their names, no matter who uploaded them; returns how many there were. Throws
   * `AskUnavailable`.
   */
  async forget(names: readonly string[]): Promise<number> {
    if (names.length === 0) return 0;
    const { removed } = await this.asks.ask(gatewayAsks.forgetPictures, { names });
    return removed;
  }
}
