import type { SimulatedCall, SimulatedEnd, SimulatedHost, SimulatedTables, SimulatedPart } from '@bourse/ledger-client';
import { FundGate, type Parties } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { Notice, WrittenAmount, type CallContext, type Caller, Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { ShopCatalog } from '../shops/application/catalog.js';
import { ShopAdmin } from '../shops/application/admin.js';
import { ShopViews } from '../shops/application/views.js';
import { ShopClosing } from '../shops/application/closing.js';
import { Shops } from '../shops/application/shops.js';
import type { C2cDatabase } from '../shared/application/database.js';
import { shopHoldName, SHOP_LEVELS, type Shop } from '../shops/domain/shop.js';
import { FixedPrices, NoBalances, OWNER, SHOP, SimulatedShops } from './shop-stores.js';

/** Coins that the people of a run deal in. */
const COINS = [1, 3];
const SCALE = 8;
/** Interval at which support reads the applications. */
const POLL_INTERVAL_MS = 400;
const OPERATOR = { userId: 101, accountNumber: 'support1', kind: 'operator' } as Caller;
const SUPPORT_CALL = { commandId: null, hasKey: false, bodyHash: null, lang: 'en' } as CallContext;

interface ShopsRunning {
  readonly shops: Shops;
}

/** Composes the shops of a process with a support that decides at random. */
function start(host: SimulatedHost): ShopsRunning {
  const { database, sagas, reference, clock, random } = host;
  const store = new SimulatedShops(database);
  const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
  const views = new ShopViews(store, new NoBalances(), reference, clock);
  const catalog = new ShopCatalog(reference, new FixedSettings(), new FixedPrices());
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const parties = {
    setRole: () => Promise.resolve(),
    facts: () => Promise.resolve(new Map()),
  } as unknown as Parties;
  const timers = new Timers(database, clock);
  const admin = new ShopAdmin(sagas, sagas.commands, store, views, catalog, parties, timers, clock);
  const decide = async (): Promise<void> => {
    const { rows } = await store.list({ state: 'review' });
    if (rows.length === 0) return;
    const { id, level } = random.pick(rows);
    const lower = random.chance(0.3) ? SHOP_LEVELS[0] : level;
    const verdict = { id, pass: random.chance(0.6), level: lower, reason: 'by lot' };
    await admin.decide(OPERATOR, verdict, { ...SUPPORT_CALL, validUntil: clock.real() + 4_000 });
  };
  const shops = new Shops(sagas, sagas.commands, store, views, catalog, fund, clock, ids);
  // Nobody closes a shop here; the timers of roles are its.
  const c2c = database as unknown as C2cDatabase;
  new ShopClosing(
    ...([sagas, sagas.commands, c2c, shops, store, views, catalog, fund, parties, timers, clock, ids] as const),
  );
  timers.start();
  setInterval(() => void decide().catch(() => undefined), POLL_INTERVAL_MS);
  return { shops };
}

/** The notice with the shop's id as the clients of a run read it. */
const withId = ({ key, extra }: Notice): Notice =>
  new Notice(key, { id: String((extra['shop'] as { readonly id: number }).id) });

const listShops = (server: SimulatedTables): readonly Shop[] => server.rows<Shop>(SHOP);

/** People apply for shops, support opens or refuses them, and coins are transferred in both directions. */
export const SHOPS: SimulatedPart<ShopsRunning> = {
  name: 'shops',
  start,

  draw(random, user, known): SimulatedCall<ShopsRunning> {
    const [shopId] = known.length > 0 && random.chance(0.4) ? [random.pick(known)] : [];
    if (shopId === undefined) {
      const fields = {
        name: `Desk ${random.int(100)}`,
        currencyId: random.pick(COINS),
        level: random.pick(SHOP_LEVELS),
      };
      const run: SimulatedCall<ShopsRunning>['run'] = async ({ shops }, context) =>
        withId(await shops.apply(user, { ...fields, password: 'fund66' }, context));
      return { fields: { call: 'apply', ...fields }, run };
    }
    const direction = random.pick(['in', 'out'] as const);
    const number = formatUnits(BigInt(1 + random.int(10 ** 10)), SCALE);
    return {
      fields: { call: 'transfer', direction, number },
      run: async ({ shops }, context) => {
        const caller = { userId: user, isSeller: true } as Caller;
        const amount = new WrittenAmount(number, 'number', {});
        const transfer = { shopId: Number(shopId), number: amount, direction, password: 'fund66' };
        return withId(await shops.transfer(caller, transfer, context));
      },
    };
  },

  isSettled: ({ server }) => listShops(server).every(({ state }) => state !== 'waiting'),
  holds: (server) =>
    new Map(
      listShops(server)
        .filter(({ state, deposit }) => state !== 'waiting' && deposit > 0n)
        .map(({ id, deposit }) => [shopHoldName(id), deposit]),
    ),
  // Shops move no value between people: the coins stay their owner's.
  moves: () => [],

  check({ server, calls }: SimulatedEnd<ShopsRunning>) {
    const problems: string[] = [];
    const shops = new Map(listShops(server).map((shop) => [String(shop.id), shop]));
    for (const { id, state, deposit } of shops.values()) {
      if (state === 'waiting') problems.push(`I3 shop ${id} stays in between`);
      if (state === 'refused' && deposit > 0n) problems.push(`I3 the refused shop ${id} keeps ${deposit}`);
    }
    const owned = [...shops.values()].filter(({ state }) => state !== 'refused');
    const owners = server.rows<{ id: number }>(OWNER).length;
    if (new Set(owned.map(({ userId, currencyId }) => `${userId} ${currencyId}`)).size !== owned.length)
      problems.push('I3 a person has two shops of one coin');
    if (owners !== owned.length) problems.push(`I3 ${owners} shops are taken, ${owned.length} are there`);
    const applied = new Set<string>();
    for (const { fields, told } of calls) {
      const ok = told.find(({ kind }) => kind === 'ok');
      if (fields['product'] !== 'shops' || ok?.kind !== 'ok') continue;
      if (!shops.has(ok.id)) problems.push(`I6 shop ${ok.id} was answered ok and does not exist`);
      if (told.some(({ kind }) => kind === 'refused'))
        problems.push(`I6 shop ${ok.id} was answered ok and refused under one command id`);
      if (fields['call'] !== 'apply') continue;
      if (applied.has(ok.id)) problems.push(`I6 shop ${ok.id} is the answer to two calls`);
      applied.add(ok.id);
    }
    return problems;
  },

  figures: (server) => ({
    shops: listShops(server).length,
    'open shops': listShops(server).filter(({ state }) => state === 'open').length,
    'refused shops': listShops(server).filter(({ state }) => state === 'refused').length,
  }),
};
