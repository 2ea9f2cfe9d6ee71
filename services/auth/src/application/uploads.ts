import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { uploadName } from '@bourse/platform';

/** Pictures that people have uploaded before they name them here. The gateway keeps them. */
@Injectable()
export class Uploads {
  constructor(private readonly asks: Asks) {}

  /**
   * Name of a picture that this person uploaded for this scene; null for anything else: a placeholder, somebody else's,
   * one of another scene. Throws `AskUnavailable`.
   */
  async own(userId: number, scene: 'kyc' | 'pay', address: string | undefined): Promise<string | null> {
    const name = address === undefined ? null : uploadName(address);
    if (name === null) return null;
    const { ok } = await this.asks.ask<object, { ok: boolean }>('gateway.upload', { name, userId, scene });
    return ok ? name : null;
  }
}
