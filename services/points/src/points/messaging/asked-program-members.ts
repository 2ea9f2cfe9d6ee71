import { Injectable } from '@nestjs/common';
import { Asks, authAsks } from '@bourse/messaging';
import { ProgramMembers } from '../application/points-ports.js';

/** Reports members to auth, which keeps the profile. */
@Injectable()
export class AskedProgramMembers extends ProgramMembers {
  constructor(private readonly asks: Asks) {
    super();
  }

  async join(userId: number): Promise<void> {
    await this.asks.ask(authAsks.joinPoints, { userId, reason: 'an account of the points programme was bound' });
  }
}
