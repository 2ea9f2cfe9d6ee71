import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { AUTOPLAY_MS } from './features/home/model/carousel.js';
import { TOP_TILES } from './features/home/model/tiles.js';
import { SHOWN_FIRST } from './features/acceptors/model/acceptors.js';
import { PERCENTS } from './features/spot/model/ticket.js';
import { FIRST_INDICATORS } from './market/chart/indicators/chosen.js';
import { INTERVALS } from './market/chart/intervals.js';
import { STORED_KEYS } from './prefs/storage.js';

/* Constants of the screens, as rules §16 has them. Those that no module gives away are read from its source. */

const source = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

describe('constants of the screens', () => {
  test('banner, tiles, steps of the slider, intervals, averages, rows before show-more [COVER-030]', () => {
    expect([AUTOPLAY_MS, TOP_TILES, SHOWN_FIRST]).toEqual([5_000, 6, 5]);
    expect(PERCENTS).toEqual([0, 25, 50, 75, 100]);
    expect(INTERVALS.map(({ id }) => id)).toEqual([
      'line',
      '1min',
      '5min',
      '15min',
      '30min',
      '60min',
      '4hour',
      '12hour',
      '1day',
      '1week',
      '1mon',
    ]);
    expect(FIRST_INDICATORS[0]).toEqual({ id: 'MA', params: [10, 15, 20] });
  });

  test.each([
    ['titles in the menu of notices', './app/notice-menu.tsx', '.slice(0, 5)'],
    ['a question 1 s after the message', './app/reactions.tsx', 'QUESTION_DELAY_MS = 1_000'],
    ['home 0.5 s after a login', './features/auth/ui/login.tsx', 'REDIRECT_MS = 500'],
    ['on 1 s after a transfer', './features/wallet/ui/transfer-page.tsx', 'LEAVE_AFTER_MS = 1_000'],
    ['again 1.5 s after a withdrawal', './features/wallet/ui/use-withdrawal.ts', 'RELOAD_DELAY_MS = 1_500'],
    ['on 1.5 s after a binding', './features/account/ui/bind.tsx', 'REDIRECT_MS = 1_500'],
    ['on 1.5 s after points are bound', './features/points/ui/bind-form.tsx', 'REDIRECT_MS = 1_500'],
    ['again 1.5 s after an exchange', './features/points/ui/exchange-dialog.tsx', 'RELOAD_DELAY_MS = 1_500'],
    ['to the binding 1 s after a refusal of points', './features/points/ui/desk.tsx', 'TO_BINDING_MS = 1_000'],
    ['positions read every 3 s', './features/lever/api/lever.ts', 'POLL_MS = 3_000'],
    ['orders read every 10 s', './features/spot/ui/use-entrusts.ts', 'refetchInterval: 10_000'],
    [
      'the price scale of the pair that is shown, decision 0117',
      './core/market.ts',
      'priceScale: 10 ** item.price_scale',
    ],
    ['8 levels a side', './market/book/order-book.tsx', 'LEVELS = 8'],
    ['20 rows of trades', './market/book/tapes.tsx', 'ROWS = 20'],
    ['8 open orders before load-more', './features/spot/api/orders.ts', 'PAGE = { open: 8,'],
    ['the port of the socket out of the storage', './core/feed.ts', "readStored('socketPort')"],
    ['30 s between codes for withdrawal addresses', './features/wallet/ui/bind-address.tsx', 'REST_SECONDS = 30'],
  ])('%s [COVER-030]', (_, file, text) => {
    expect(source(file)).toContain(text);
  });

  test.each([
    ['passwords', './forms/password-field.tsx', 'maxLength = 16'],
    ['codes', './forms/code-field.tsx', 'length={16}'],
    ['fund passwords', './parts/fund-password-field.tsx', 'maxLength={6}'],
    ['points accounts', './features/points/ui/bind-form.tsx', 'maxLength={BIND_MAX}'],
    ['the most of a points account', './features/points/model/points.ts', 'BIND_MAX = 20'],
  ])('inputs take so much of %s and no more [COVER-032]', (_, file, text) => {
    expect(source(file)).toContain(text);
  });

  test('the browser stores the values of the contract, under its keys, and the palette [COVER-031]', () => {
    const keys =
      'token user_id theme locale accountNum extension_code is_seller type legal_id currency_id legal_name ' +
      'currency_name dealLegalId symbol dealSymbol dealPrice fiat_convert_cny shareNum priceScale dealIndex1 ' +
      'dealIndex2 socketPort palette';
    expect([...STORED_KEYS].sort()).toEqual(keys.split(' ').sort());
  });

  test('sixteen languages in the order of the contract [COVER-031]', () => {
    expect(LANGUAGES.join(' ')).toBe('en tr th ar vi ko zh pt hk jp es de fr it sv cr');
  });
});
