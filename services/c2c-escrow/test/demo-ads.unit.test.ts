import { expect, test } from '@jest/globals';
import { SEED_CURRENCIES } from '@bourse/contract';
import type { Reference } from '@bourse/messaging';
import type { Clock, Config } from '@bourse/platform';
import type { AdCommands } from '../src/deals/application/ad-commands.js';
import { DemoAds } from '../src/deals/application/demo-ads.js';
import type { AdStore } from '../src/deals/application/ports.js';

let published = 0;
/** Tries once to create the ad, beside the ads that its owner has. */
class OneTry extends DemoAds {
  constructor(states: readonly string[]) {
    super(
      { list: () => Promise.resolve({ rows: states.map((state) => ({ state })) }) } as unknown as AdStore,
      { publish: () => Promise.resolve((published += 1)) } as unknown as AdCommands,
      { all: () => SEED_CURRENCIES } as unknown as Reference,
      { real: () => 0 } as Clock,
      {} as Config,
    );
  }
  async run(): Promise<number> {
    published = 0;
    await this.createMissing();
    return published;
  }
}

test('the demo ad is published once, and tried again while the ledger may refuse it [C2C-014]', async () => {
  expect(await new OneTry([]).run()).toBe(1);
  expect(await new OneTry(['shelf']).run()).toBe(0);
  await expect(new OneTry(['waiting']).run()).rejects.toThrow('waits for the ledger');
});
