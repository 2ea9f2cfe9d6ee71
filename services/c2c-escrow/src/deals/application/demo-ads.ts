import { Injectable } from '@nestjs/common';
import { DEMO_PEOPLE, FIAT_SCALES, type CurrencyRow } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Clock, Config } from '@bourse/platform';
import { PRICE_SCALE } from '../domain/ad.js';
import { AdCommands } from './ad-commands.js';
import { AdStore } from './ports.js';
import { DemoSeed } from '../../shared/application/demo-seed.js';

/** Publishes the C2C ad of a demo install (rules §17) as its owner would: 500 USDT at 6.50 CNY, by bank. */
@Injectable()
export class DemoAds extends DemoSeed {
  constructor(
    private readonly ads: AdStore,
    private readonly commands: AdCommands,
    private readonly reference: Reference,
    clock: Clock,
    config: Config,
  ) {
    super('demo ad', config, clock);
  }

  protected async createMissing(): Promise<void> {
    const owner = DEMO_PEOPLE.find(({ isSeller }) => isSeller);
    if (!owner) return;
    const states = ['waiting', 'shelf', 'off', 'sold'] as const;
    const page = { page: 1, size: 1, offset: 0 };
    const [found] = (await this.ads.list({ kind: 'c2c', ownerId: owner.id, states }, page)).rows;
    // The ledger may still refuse it, also because the call came too late.
    if (found?.state === 'waiting') throw new Error('the ad waits for the ledger');
    if (found) return;
    const currency = this.reference.all<CurrencyRow>('currency').find(({ name }) => name === 'USDT');
    if (!currency) throw new Error('the catalog has not come yet');
    const { id: currencyId, name: currencyName, scale } = currency;
    const total = toUnits('500', scale);
    await this.commands.publish(owner.id, this.createContext(), () =>
      Promise.resolve({
        ...{ kind: 'c2c', type: 'sell', ownerAccount: 'legal', shopId: null, level: '' },
        ...{ currencyId, currencyName, scale, total, min: 0n, max: total, way: 'bank', limitMinutes: 1_440 },
        ...{ coinCode: 'CNY', fiatScale: FIAT_SCALES.CNY, price: toUnits('6.50', PRICE_SCALE) },
      }),
    );
  }
}
