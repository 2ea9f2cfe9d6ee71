import { Injectable, Logger } from '@nestjs/common';
import { Asks, authAsks, gatewayAsks } from '@bourse/messaging';

/**
 * Why a payment that is not signed waits: its person is frozen, or an operator or the auditor has stopped all of them.
 */
export type Held = '' | 'frozen' | 'brake';

/**
 * What keeps money in: freezes of people and the emergency brake. Both are asked of who decides them, each time: a
 * memory of them would let a payment through.
 */
@Injectable()
export class PayoutStops {
  private readonly logger = new Logger('PayoutStops');
  constructor(private readonly asks: Asks) {}

  /**
   * Whether withdrawals stand still: by an operator, or because an auditor has found something. Who cannot be asked may
   * have stopped them.
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
   * Which of these people may take nothing out, because they or an operator have frozen their account. Rejects when
   * auth cannot be asked.
   */
  async frozen(userIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (userIds.length === 0) return new Set();
    return new Set(
      await this.asks.ask(authAsks.frozen, {
        userIds: [...new Set(userIds)],
      }),
    );
  }

  /**
   * For a list that people look at: what keeps each of these people's payments in right now. One that cannot be told is
   * not marked.
   */
  async marks(userIds: readonly number[]): Promise<(userId: number) => Held> {
    if (userIds.length === 0) return () => '';
    const [stopped, frozen] = await Promise.all([
      this.stopped(),
      this.frozen(userIds).catch((error: unknown): ReadonlySet<number> => {
        this.logger.warn(`a list does not tell who is frozen: ${(error as Error).message}`);
        return new Set();
      }),
    ]);
    return (userId) => (frozen.has(userId) ? 'frozen' : stopped ? 'brake' : '');
  }
}
