import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { Uploads } from '../../application/uploads.js';

/** What other services ask the gateway. */
@Injectable()
export class Answers implements OnModuleInit {
  constructor(private readonly asks: Asks, private readonly uploads: Uploads) {}

  onModuleInit(): void {
    this.asks.handle('gateway.upload', async ({ name, userId, scene }: { name: string; userId: number; scene: string }) => ({ ok: await this.uploads.claim(name, userId, scene) }));
  }
}
