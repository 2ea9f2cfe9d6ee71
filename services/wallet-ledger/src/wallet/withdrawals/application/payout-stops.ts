import { Injectable, Logger } from '@nestjs/common';
import { Asks, authAsks, gatewayAsks } from '@bourse/messaging';

/**
 * Why an unsigned payment is held back: its person is frozen, or an operator or the auditor has stopped all payments.
 */
export type Held = '' | 'frozen' | 'brake';

/**
 * Stops of payments: freezes of people and the emergency brake. Both are queried from their owning services each time:
 * a cached answer could let a payment through.
 */
@Injectable()
export class PayoutStops {
  private readonly logger = new Logger('PayoutStops');
  constructor(private readonly asks: Asks) {}

  /**
   * Whether withdrawals are stopped, by an operator or after an auditor's finding. If the gateway cannot be reached,
   * they count as stopped.
   */
  async stopped(): Promise<boolean> {
    try {
      return (await this.asks.ask(gatewayAsks.withdrawals, {})).stopped;
    } catch (error) {
      this.logger.warn(`nothing new is paid out: ${(error as Error).message}`);
      return true;
    }
  }

  /**
   * Those of these people who may not take money out, because they or an operator have frozen their account. Rejects
   * when auth cannot be reached.
   */
  async frozen(userIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (userIds.length === 0) return new Set();
    return new Set(await this.asks.ask(authAsks.frozen, { userIds: [...new Set(userIds)] }));
  }

  /** For lists: the stop that holds back each of these people's payments now. An unknown one is not marked. */
  async marks(userIds: readonly number[]): Promise<(userId: number) => Held> {
    if (userIds.length === 0) return () => '';
    const [stopped, frozen] = await Promise.all([
      this.stopped(),
      this.frozen(userIds).catch((error: unknown): ReadonlySet<number> => {
        this.logger.warn(`a list is shown without marks of frozen accounts: ${(error as Error).message}`);
        return new Set();
      }),
    ]);
    return (userId) => (frozen.has(userId) ? 'frozen' : stopped ? 'brake' : '');
  }
}
