import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { callAtOnce, get, post, type Answered, type Body, type Fields } from './client.js';
import { advance } from './dev-clock.js';
import {
  appeal,
  appealOf,
  cancel,
  confirm,
  dealOf,
  decide,
  evidence,
  expiredDeal,
  legal,
  offShelf,
  paidDeal,
  pay,
  REASON,
  sellAd,
  takeBack,
  taken,
  setting,
} from './deal-room.js';
import { createAcceptor, done, FUND, createUsdtMerchant, operator, upload } from './people.js';

/*
 * Every pair of acts on one deal at once, in 64 calls: the state machine of rules §6 and §7 admits one path, and the
 * balances match the winner. This file has its own users, so that their daily cancels do not block C2C for other tests.
 */
jest.setTimeout(testTimeoutMs(150_000));

const DAY = 86_400;
const AT_ONCE = 64;
type Act = () => Promise<Answered>;

let [owner, taker, desk] = ['', '', ''];
let pier: number;
beforeAll(async () => {
  const [pierOne, one, two] = await Promise.all([
    createAcceptor({ posted: '5000', cash: '5000' }),
    createUsdtMerchant('5000'),
    createUsdtMerchant('5000'),
  ]);
  [desk, pier, owner, taker] = [pierOne.token, pierOne.acceptorId, one.token, two.token];
});

/** Makes 64 concurrent calls of these acts; returns the successes of each, and every refusal. */
async function race(...acts: readonly Act[]): Promise<{ won: number[]; lost: string[] }> {
  const answers = await callAtOnce(AT_ONCE, (at) => acts[at % acts.length]!());
  const won = acts.map(
    (_, act) => answers.filter(({ body }, at) => at % acts.length === act && body.type === 'ok').length,
  );
  const lost = answers.flatMap(({ body }) => (body.type === 'ok' ? [] : [body.key ?? body.type]));
  return { won, lost: [...new Set(lost)].sort() };
}
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
/** Exactly one call had an effect, and the others got one of these refusals. */
function onlyOne({ won, lost }: Awaited<ReturnType<typeof race>>, ...told: readonly string[]): void {
  expect(sum(won)).toBe(1);
  expect(lost.filter((key) => !told.includes(key))).toEqual([]);
}

/** Coins of both people together: a deal between them moves coins, and only its fee leaves. */
async function together(): Promise<{ free: bigint; held: bigint }> {
  const [[free, held], [otherFree, otherHeld]] = await Promise.all([legal(owner), legal(taker)]);
  return { free: free + otherFree, held: held + otherHeld };
}
const FEE_OF_TEN = 1_000_000n;
/** Checks that nothing is held any more, and that this number of deals of ten coins has paid its fee. */
async function settled(before: Awaited<ReturnType<typeof together>>, finished: number): Promise<void> {
  await eventuallySatisfied(together, ({ held }) => held === before.held, 10_000);
  const { free } = await together();
  expect(before.free - free).toBe(FEE_OF_TEN * BigInt(finished));
  expect(await findFailingChecks()).toEqual([]);
}
const stateOf = async (id: string): Promise<readonly [number, number]> => {
  const { is_sure: state, appeal: appealed } = await dealOf(taker, id);
  return [state, appealed];
};

describe('a deal on a sell ad [C2C-030]', () => {
  test('is released once, however often it is confirmed', async () => {
    const before = await together();
    const { ad, id } = await paidDeal(owner, taker);
    onlyOne(await race(() => confirm(owner, id)), 'c2c.state');
    expect(await stateOf(id)).toEqual([1, 0]);
    await offShelf(owner, ad);
    await settled(before, 1);
  });

  test('is not confirmed before it is paid, while its buyer cancels it', async () => {
    await advance(DAY);
    const before = await together();
    const ad = await sellAd(owner);
    const id = await taken(taker, ad);
    const { won, lost } = await race(
      () => cancel(taker, id),
      () => confirm(owner, id),
    );
    expect([won, lost]).toEqual([[1, 0], ['c2c.state']]);
    await offShelf(owner, ad);
    await settled(before, 0);
  });

  test('is paid, or cancelled by its deadline, never both', async () => {
    for (const act of [() => pay, () => cancel]) {
      await advance(DAY);
      const before = await together();
      const ad = await sellAd(owner, { limit_minutes: 15 });
      const id = await taken(taker, ad);
      await advance(15 * 60 - 2);
      const [, { won }] = await Promise.all([advance(2), race(() => act()(taker, id))]);
      expect(sum(won)).toBeLessThanOrEqual(1);
      const [state] = await eventuallySatisfied(
        () => stateOf(id),
        ([found]) => found !== 0,
      );
      if (act() === pay) expect(state).toBe(won[0] === 1 ? 3 : 2);
      else expect(state).toBe(2);
      if (state === 3) await done(confirm(owner, id));
      await offShelf(owner, ad);
      await settled(before, state === 3 ? 1 : 0);
    }
  });

  test('goes to a decision, or on its way after its appeal was taken back', async () => {
    for (const outcome of ['buyer', 'seller'] as const) {
      const before = await together();
      const { ad, id } = await paidDeal(owner, taker);
      await done(appeal(taker, id));
      const { id: file } = await appealOf(taker, id);
      const finance = await operator('finance1');
      const judge: Act = () =>
        post('/api/admin/appeals/decide', { id: file, outcome, reason: REASON }, { token: finance });
      const { won, lost } = await race(() => takeBack(taker, id), judge);
      onlyOne({ won, lost }, 'c2c.state', 'admin.decided');
      const expected = won[0] === 1 ? [3, 0] : outcome === 'buyer' ? [1, 2] : [2, 3];
      expect(await stateOf(id)).toEqual(expected);
      if (won[0] === 1) await done(confirm(owner, id));
      await offShelf(owner, ad);
      await settled(before, won[0] === 1 || outcome === 'buyer' ? 1 : 0);
    }
  });

  test('takes evidence until it is decided, and is decided once', async () => {
    const before = await together();
    const { ad, id } = await paidDeal(owner, taker);
    await done(appeal(taker, id));
    const { id: file } = await appealOf(taker, id);
    const {
      won: [, decided],
      lost,
    } = await race(
      () => evidence(owner, id, { text: 'the bank says that nothing came' }),
      () => decide(file, 'seller'),
    );
    expect(decided).toBe(1);
    expect(lost.filter((key) => !['c2c.state', 'admin.decided', 'common.tooMany'].includes(key))).toEqual([]);
    expect(await stateOf(id)).toEqual([2, 3]);
    await offShelf(owner, ad);
    await settled(before, 0);
  });

  test('is confirmed only without an open appeal', async () => {
    const before = await together();
    const { ad, id } = await paidDeal(owner, taker);
    await done(appeal(taker, id));
    const { won, lost } = await race(
      () => takeBack(taker, id),
      () => confirm(owner, id),
    );
    expect(won[0]).toBe(1);
    expect(won[1]).toBeLessThanOrEqual(1);
    expect(lost.filter((key) => !['c2c.state', 'c2c.appealOpen'].includes(key))).toEqual([]);
    if (won[1] === 0) await done(confirm(owner, id));
    expect((await stateOf(id))[0]).toBe(1);
    await offShelf(owner, ad);
    await settled(before, 1);
  });

  test('a late appeal finds its coins in the ad or with the seller, once', async () => {
    await advance(DAY);
    const before = await together();
    const { ad, id } = await expiredDeal(owner, taker);
    const back: Act = () => post('/api/c2c/back_send', { id: ad, password: FUND }, { token: owner });
    const {
      won: [appealed, taken_off],
      lost,
    } = await race(() => appeal(taker, id), back);
    expect(appealed).toBe(1);
    expect(taken_off).toBeLessThanOrEqual(1);
    expect(lost.filter((key) => !['c2c.appealOpen', 'c2c.state', 'c2c.hasDeals'].includes(key))).toEqual([]);
    await done(decide((await appealOf(taker, id)).id, 'seller'));
    if (taken_off === 0) await offShelf(owner, ad);
    await settled(before, 0);
  });
});

describe('an ad [C2C-031]', () => {
  const off = async (id: number): Promise<Act> => {
    const token = await operator('support1');
    return () => post('/api/admin/c2c_ads/off', { id, reason: 'looks like a fraud' }, { token });
  };
  const take =
    (id: number): Act =>
    () =>
      post('/api/c2c/do_legal_deal', { id, number: '10', password: FUND }, { token: taker });

  test('that an operator takes off is taken before that, or not at all', async () => {
    await advance(DAY);
    const before = await together();
    const ad = await sellAd(owner);
    const { won, lost } = await race(take(ad), await off(ad));
    expect(won[0]).toBeLessThanOrEqual(1);
    expect(won[1]).toBe(1);
    expect(lost.filter((key) => !['c2c.adGone', 'c2c.openDeal', 'c2c.state', 'c2c.hasDeals'].includes(key))).toEqual(
      [],
    );
    const mine = (await done(get('/api/c2c_user_deal', { is_sure: 0 }, { token: taker }))).message;
    const [open] = mine.data;
    expect(open !== undefined).toBe(won[0] === 1);
    if (open) await done(cancel(taker, open.id));
    await settled(before, 0);
  });

  test('returns the remainder once, by owner or operator', async () => {
    const before = await together();
    const ad = await sellAd(owner);
    const back: Act = () => post('/api/c2c/back_send', { id: ad, password: FUND }, { token: owner });
    onlyOne(await race(await off(ad), back), 'c2c.state');
    await settled(before, 0);
  });

  test('returns the coins of a deal that is cancelled meanwhile to its owner', async () => {
    const before = await together();
    const ad = await sellAd(owner);
    const id = await taken(taker, ad);
    const { won } = await race(() => cancel(taker, id), await off(ad));
    expect(won).toEqual([1, 1]);
    await settled(before, 0);
  });
});

describe('a deal on a buy ad [C2C-032]', () => {
  const wanted = (fields: Fields = {}): Promise<number> => sellAd(owner, { type: 'buy', ...fields });
  const takerSure = (id: string) => post('/api/c2c/legal_deal_user_sure', { id, password: FUND }, { token: taker });

  test('is paid or cancelled by the owner, one of the two', async () => {
    await advance(DAY);
    const before = await together();
    const ad = await wanted();
    const id = await taken(taker, ad);
    const { won, lost } = await race(
      () => pay(owner, id),
      () => cancel(owner, id),
    );
    onlyOne({ won, lost }, 'c2c.state');
    if (won[0] === 1) await done(takerSure(id));
    await offShelf(owner, ad);
    await settled(before, won[0] === 1 ? 1 : 0);
  });

  test('is released once, only by the seller', async () => {
    const before = await together();
    const ad = await wanted();
    const id = await taken(taker, ad);
    await done(pay(owner, id));
    const { won, lost } = await race(
      () => takerSure(id),
      () => confirm(owner, id),
      () => confirm(taker, id),
    );
    expect([won, lost]).toEqual([
      [1, 0, 0],
      ['c2c.state', 'common.notFound'],
    ]);
    expect(await stateOf(id)).toEqual([1, 0]);
    await offShelf(owner, ad);
    await settled(before, 1);
  });
});

describe('a deal with an acceptor [ACC-030]', () => {
  let proof: string;
  let pic: string;
  let restore: (() => Promise<void>)[];
  beforeAll(async () => {
    [proof, pic] = [await upload(desk, 'proof'), await upload(taker, 'evidence')];
    // Objections come at once here, and one person's are decided against them again and again.
    restore = [await setting('acceptor_object_minutes', '0'), await setting('acceptor_strikes', '1000')];
  });
  afterAll(async () => {
    for (const undo of restore) await undo();
  });
  const opened = async (type: 'buy' | 'sell'): Promise<string> => {
    const fields = { mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank', password: FUND };
    const body = await done(
      post('/api/acceptor/deal', { acceptor_id: pier, type, money: '100', ...fields }, { token: taker }),
    );
    return body.deal.id;
  };
  const by =
    (token: () => string, path: string, fields: Fields = {}) =>
    (id: string): Act =>
    () =>
      post(`/api/acceptor/${path}`, { id, password: FUND, ...fields }, { token: token() });
  const person = (path: string, fields: Fields = {}): ((id: string) => Act) => by(() => taker, path, fields);
  const acceptor = (path: string, fields: Fields = {}): ((id: string) => Act) => by(() => desk, path, fields);
  const transferred =
    (id: string): Act =>
    () =>
      post('/api/acceptor/transferred', { id, password: FUND, proof_pic: proof }, { token: desk });
  const judged = async (id: string, outcome: 'confirm' | 'reject'): Promise<Act> => {
    const token = await operator('finance1');
    return () => post('/api/admin/acceptor_deals/decide', { id, outcome, reason: REASON }, { token });
  };
  const found = async (id: string): Promise<{ is_sure: number; stage: number }> => {
    const { message } = await done(get('/api/acceptor/my_deal', { page_size: 100 }, { token: taker }));
    return message.data.find((row) => row.id === id)!;
  };
  /** Ends what is still open, so that nothing stays on hold. */
  const ended = async (id: string): Promise<Body | undefined> => {
    const { is_sure: state, stage } = await found(id);
    if (state !== 0) return undefined;
    if (stage === 0) return done(person('user_cancel')(id)());
    if (stage === 1) return done(person('user_confirm')(id)());
    return done((await judged(id, 'reject'))());
  };

  const pairs: readonly (readonly [what: string, 'buy' | 'sell', stage: 0 | 1 | 2, one: string, other: string])[] = [
    ['a deposit is confirmed or rejected', 'buy', 0, 'confirm', 'reject'],
    ['a deposit is confirmed or cancelled', 'buy', 0, 'confirm', 'user_cancel'],
    ['a deposit is confirmed or objected to', 'buy', 0, 'confirm', 'user_object'],
    ['a deposit is rejected or objected to', 'buy', 0, 'reject', 'user_object'],
    ['a withdrawal is transferred or cancelled', 'sell', 0, 'transferred', 'user_cancel'],
    ['a withdrawal is transferred or rejected', 'sell', 0, 'transferred', 'reject'],
    ['a withdrawal is received or objected to', 'sell', 1, 'user_confirm', 'user_object'],
    ['finance confirms or rejects', 'sell', 2, 'finance confirm', 'finance reject'],
    ['finance confirms a deposit or rejects it', 'buy', 2, 'finance confirm', 'finance reject'],
  ];
  test.each(pairs)('%s: one of the two', async (_what, type, stage, one, other) => {
    const before = (await legal(taker))[1];
    const id = await opened(type);
    if (stage >= 1 && type === 'sell') await done(transferred(id)());
    if (stage === 2) await done(person('user_object', { reason: 'nothing came', pic })(id)());
    const acts: Record<string, Act> = {
      confirm: acceptor('confirm')(id),
      reject: acceptor('reject', { reason: 'nothing came' })(id),
      transferred: transferred(id),
      user_cancel: person('user_cancel')(id),
      user_confirm: person('user_confirm')(id),
      user_object: person('user_object', { reason: 'nothing came', pic })(id),
      'finance confirm': await judged(id, 'confirm'),
      'finance reject': await judged(id, 'reject'),
    };
    onlyOne(await race(acts[one]!, acts[other]!), 'acceptor.state');
    await ended(id);
    await eventuallySatisfied(
      () => legal(taker),
      ([, held]) => held === before,
      10_000,
    );
    expect(await findFailingChecks()).toEqual([]);
  });

  test('posted coins are withdrawn or reserved by a deposit, never both', async () => {
    const posted = async (): Promise<string> =>
      (await done(get('/api/acceptor/account', {}, { token: desk }))).message.recharge_amount;
    const all = await posted();
    const out: Act = () =>
      post('/api/acceptor/fund', { direction: 'out', number: all, password: FUND }, { token: desk });
    const fields = { acceptor_id: pier, type: 'buy', money: '100', mobile: '+1 5550100', deal_account: '4000 1234' };
    const deal: Act = () => post('/api/acceptor/deal', { ...fields, way: 'bank', password: FUND }, { token: taker });
    const answers = await Promise.all([out(), deal(), out(), deal()]);
    const open = answers.flatMap(({ body }) =>
      body.type === 'ok' && body.deal ? [(body.deal as { id: string }).id] : [],
    );
    const takenOut = answers.filter(({ body }, at) => at % 2 === 0 && body.type === 'ok').length;
    expect(takenOut).toBeLessThanOrEqual(1);
    if (takenOut === 1) expect(open).toEqual([]);
    for (const id of open) await ended(id);
    if (takenOut === 1)
      await done(post('/api/acceptor/fund', { direction: 'in', number: all, password: FUND }, { token: desk }));
    await eventuallySatisfied(posted, (now) => now === all, 10_000);
    expect(await findFailingChecks()).toEqual([]);
  });
});
