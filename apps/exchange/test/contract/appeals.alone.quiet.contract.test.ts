import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Appeal } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { callAtOnce, get, keyOf, keysOf, post } from './client.js';
import { advance } from './dev-clock.js';
import {
  appeal,
  appealOf,
  changed,
  COIN,
  confirm,
  cancel,
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
  setting,
  takeBack,
  taken,
  USDT,
} from './deal-room.js';
import { inboxOf } from './inbox.js';
import { createMerchants, done, operator, upload } from './people.js';
import { wholeDashboard } from './work.js';

// Runs alone: deadlines pass by moving the clock of the install.
jest.setTimeout(testTimeoutMs(75_000));

const HOUR = 3_600;
let [owner, taker, third] = ['', '', ''];
beforeAll(async () => {
  const people = await createMerchants(3, { legal: { [USDT]: '5000' } });
  [owner, taker, third] = people.map(({ token }) => token) as [string, string, string];
});
afterAll(async () => {
  expect(await findFailingChecks()).toEqual([]);
});

const opened = async (token: string, id: string): Promise<Appeal> => (await done(appeal(token, id)))['appeal'];

describe('an appeal at 3 [APPEAL-020]', () => {
  test('either side opens it; while it is open no side confirms, cancels or opens another', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    const inboxes = [await inboxOf(owner), await inboxOf(taker)];
    const first = await opened(taker, id);
    expect(first).toMatchObject({ deal_id: id, opened_by: 'buyer', state: 1, reason: 'I have paid and nothing came' });
    expect(await keyOf(appeal(owner, id))).toBe('c2c.appealOpen');
    expect(await keyOf(confirm(owner, id))).toBe('c2c.appealOpen');
    expect(await keyOf(cancel(taker, id))).toBe('c2c.state');
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 1, can: ['appeal_cancel'] });
    expect((await dealOf(owner, id)).can).toEqual([]);
    expect(await keyOf(takeBack(owner, id))).toBe('c2c.state');
    await advance(HOUR);
    expect((await done(takeBack(taker, id))).message).toMatchObject({ id: first.id, state: 0 });
    // The seller's day begins again, as the page shows.
    expect((await dealOf(taker, id)).remain_seconds).toBeGreaterThan(24 * HOUR - 60);
    expect(await keyOf(takeBack(taker, id))).toBe('c2c.state');
    expect((await opened(owner, id)).opened_by).toBe('seller');
    await done(takeBack(owner, id));
    const begun = 'Appeal opened · An appeal has been opened on the deal over 10 USDT for 65.00 CNY.';
    const gone = 'Appeal withdrawn · The appeal on the deal over 10 USDT for 65.00 CNY has been withdrawn.';
    // Each of the two appeals, to both sides.
    for (const inbox of inboxes) await inbox.receives(begun, gone, begun, gone);
    expect((await done(confirm(owner, id))).deal).toMatchObject({ is_sure: 1, appeal: 0 });
    await offShelf(owner, ad);
  });

  test('both sides bring words and pictures of their own, in the order of the timeline', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    const pictures = [await upload(taker, 'evidence'), await upload(taker, 'evidence')];
    const stolen = await upload(third, 'evidence');
    expect(await keyOf(appeal(taker, id, { evidence: stolen }))).toBe('upload.required');
    expect(await keyOf(appeal(taker, id, { evidence: await upload(taker, 'chat') }))).toBe('upload.required');
    expect(await keyOf(appeal(taker, id, { evidence: Array(7).fill(pictures[0]).join(',') }))).toBe(
      'common.fieldInvalid',
    );
    expect(await keyOf(appeal(taker, id, { reason: 'too short' }))).toBe('common.fieldInvalid');
    expect(await keyOf(evidence(taker, id, { text: 'no appeal yet' }))).toBe('c2c.state');
    await done(appeal(taker, id, { evidence: pictures.join(',') }));
    expect(await keyOf(evidence(owner, id))).toBe('common.fieldRequired');
    expect(await keyOf(evidence(owner, id, { url: stolen }))).toBe('upload.required');
    await done(evidence(owner, id, { text: '<b>nothing</b> came' }));
    const seen = (await done(evidence(owner, id, { url: await upload(owner, 'evidence') }))).message as Appeal;
    expect(seen.evidence.map(({ by, text }) => [by, text])).toEqual([
      ['buyer', ''],
      ['buyer', ''],
      ['seller', '<b>nothing</b> came'],
      ['seller', ''],
    ]);
    const { url } = (await appealOf(taker, id)).evidence[3]!;
    expect((await get(url)).status).toBe(200);
    expect(seen.timeline).toHaveLength(3);
    await done(takeBack(taker, id));
    expect(await keyOf(evidence(owner, id, { text: 'too late' }))).toBe('c2c.state');
    await done(confirm(owner, id));
    await offShelf(owner, ad);
  });

  test('it is not for a deal that waits or is over, and a repeat under its key is the same one', async () => {
    const ad = await sellAd(owner);
    const id = await taken(taker, ad);
    for (const token of [owner, taker]) expect(await keyOf(appeal(token, id))).toBe('c2c.appealWindow');
    await done(pay(taker, id));
    const key = randomUUID();
    const first = await done(appeal(taker, id, {}, key));
    expect((await appeal(taker, id, {}, key)).body).toMatchObject({
      type: 'ok',
      appeal: { id: first['appeal'].id },
    });
    expect(await keyOf(appeal(taker, id, { reason: 'something else this time' }, key))).toBe('common.keyReused');
    await done(takeBack(taker, id));
    await done(confirm(owner, id));
    for (const token of [owner, taker]) expect(await keyOf(appeal(token, id))).toBe('c2c.appealWindow');
    await offShelf(owner, ad);
  });

  test('a side opens up to five appeals on a deal, the other side may still appeal [APPEAL-009]', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    for (let count = 0; count < 5; count++) {
      await opened(owner, id);
      await done(takeBack(owner, id));
    }
    expect(await keyOf(appeal(owner, id))).toBe('c2c.appealWindow');
    expect([(await dealOf(owner, id)).can, (await dealOf(taker, id)).can]).toEqual([['confirm'], ['appeal']]);
    await opened(taker, id);
    expect(await keyOf(appeal(owner, id))).toBe('c2c.appealOpen');
    await done(takeBack(taker, id));
    await done(confirm(owner, id));
    await offShelf(owner, ad);
  });

  test("another's deal has no appeal, no chat and no transcript [APPEAL-021]", async () => {
    const { ad, id } = await paidDeal(owner, taker);
    await opened(taker, id);
    for (const answer of [
      appeal(third, id),
      evidence(third, id, { text: 'let me in' }),
      takeBack(third, id),
      get('/api/c2c/appeal', { id }, { token: third }),
      get('/api/c2c/chat', { id }, { token: third }),
      post('/api/c2c/chat', { id, text: 'hello' }, { token: third }),
      get('/api/c2c/transcript', { id }, { token: third }),
      get('/api/c2c/appeal', { id: '9223372036854775807' }, { token: taker }),
    ])
      expect(await keyOf(answer)).toBe('common.notFound');
    await done(takeBack(taker, id));
    await done(confirm(owner, id));
    await offShelf(owner, ad);
  });
});

describe('a decision [APPEAL-022]', () => {
  test('for the buyer releases, with the fee; both sides read why', async () => {
    const [sold, bought] = [await legal(owner), await legal(taker)];
    const { ad, id } = await paidDeal(owner, taker);
    const { id: file } = await opened(taker, id);
    const inboxes = [await inboxOf(owner), await inboxOf(taker)];
    expect((await decide(file, 'buyer')).body).toMatchObject({
      key: 'admin.appealDecided',
      appeal: { state: 2, decision: REASON },
    });
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 1, appeal: 2, can: [] });
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    expect((await appealOf(owner, id)).decision).toBe(REASON);
    expect(await keyOf(decide(file, 'seller'))).toBe('c2c.state');
    await offShelf(owner, ad);
    expect(await changed(owner, sold)).toEqual([-(10n * COIN + COIN / 100n), 0n]);
    for (const inbox of inboxes)
      await inbox.receives('Appeal decided · The appeal on the deal over 10 USDT for 65.00 CNY has been decided.');
  });

  test('for the seller releases the hold to the published ad', async () => {
    const [sold, bought] = [await legal(owner), await legal(taker)];
    const { ad, id } = await paidDeal(owner, taker);
    const { id: file } = await opened(owner, id);
    await done(decide(file, 'seller'));
    expect(await dealOf(owner, id)).toMatchObject({ is_sure: 2, appeal: 3, can: [] });
    expect(await keyOf(appeal(taker, id))).toBe('c2c.appealWindow');
    await offShelf(owner, ad);
    expect(await changed(owner, sold)).toEqual([0n, 0n]);
    expect(await changed(taker, bought)).toEqual([0n, 0n]);
  });

  test('above the amount the first operator proposes and another one decides [APPEAL-023]', async () => {
    const undo = await setting('c2c.appeal_two_person', '9.99');
    try {
      const { ad, id } = await paidDeal(owner, taker);
      const { id: file } = await opened(taker, id);
      const proposed = async (key: string): Promise<unknown> => {
        const fields = { id: file, outcome: 'buyer', reason: REASON };
        const options = { token: await operator('finance1'), headers: { 'idempotency-key': key } };
        return keyOf(post('/api/admin/appeals/decide', fields, options));
      };
      expect(await proposed(`proposal-${file}`)).toBe('admin.secondNeeded');
      // The answer was lost: under the same key it comes again.
      expect(await proposed(`proposal-${file}`)).toBe('admin.secondNeeded');
      expect(await proposed(`again-${file}`)).toBe('admin.samePerson');
      // The opener cannot make the operators begin again.
      expect(await keyOf(takeBack(taker, id))).toBe('c2c.state');
      expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 1, can: [] });
      // Of another mind: that is a new proposal, and decides nothing.
      expect(await keyOf(decide(file, 'seller', 'finance2'))).toBe('admin.secondNeeded');
      expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 1 });
      expect(await keyOf(decide(file, 'seller', 'finance1'))).toBe('admin.appealDecided');
      expect(await dealOf(taker, id)).toMatchObject({ is_sure: 2, appeal: 3 });
      // A stored refusal is returned again, although a new call would be refused differently.
      expect(await proposed(`again-${file}`)).toBe('admin.samePerson');
      expect(await proposed(`later-${file}`)).toBe('c2c.state');
      await offShelf(owner, ad);
    } finally {
      await undo();
    }
  });

  test('is for finance; support reads, notes, sees to it; the log has it all [APPEAL-024] [CONSOLE-127]', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    const { id: file } = await opened(taker, id);
    const [support, finance] = [await operator('support1'), await operator('finance1')];
    expect((await decide(file, 'buyer', 'support1')).status).toBe(403);
    expect((await get('/api/admin/appeals', {}, { token: taker })).status).toBe(403);
    expect(await keyOf(post('/api/admin/appeals/assign', { id: file }, { token: support }))).toBe('admin.reason');
    await done(post('/api/admin/appeals/assign', { id: file, reason: REASON }, { token: support }));
    const note = (fields: object) =>
      post('/api/admin/appeals/note', { id: file, reason: REASON, ...fields }, { token: support });
    await done(note({ text: 'looks like a slow bank' }));
    await done(note({ text: 'Please send the receipt', shown: 1 }));
    const { message } = await done(get('/api/admin/appeals', { state: 1 }, { token: support }));
    const row = message.data.find((each) => each.id === file);
    // Files of both parties and of no one else.
    const filesOf = async (userId: number): Promise<{ id: string; buyer_id: number; seller_id: number }[]> =>
      (await done(get('/api/admin/appeals', { user_id: userId }, { token: support }))).message.data;
    const parties = row as unknown as { buyer_id: number; seller_id: number };
    for (const party of [parties.buyer_id, parties.seller_id]) {
      const files = await filesOf(party);
      expect(files.map((each) => each.id)).toContain(file);
      expect(files.filter(({ buyer_id: buyer, seller_id: seller }) => buyer !== party && seller !== party)).toEqual([]);
    }
    expect(await filesOf(2_000_000_000)).toEqual([]);
    expect(row).toMatchObject({ is_sure: 3, with_escrow: 1, overdue: 0, number: '10.00000000', deal_money: '65.00' });
    const whole = (await done(get(`/api/admin/appeals/${file}`, {}, { token: finance }))).message;
    expect(whole).toMatchObject({ notes: [{ text: 'looks like a slow bank' }, { text: 'Please send the receipt' }] });
    expect(JSON.stringify((await appealOf(taker, id)).timeline)).not.toContain('slow bank');
    const { message: chat } = await done(get('/api/c2c/chat', { id }, { token: taker }));
    expect(chat.list[0]).toMatchObject({ from: 'support', text: 'Please send the receipt' });
    await done(decide(file, 'seller'));
    expect(await keyOf(post('/api/admin/appeals/assign', { id: file, reason: REASON }, { token: support }))).toBe(
      'c2c.state',
    );
    const trail = await eventuallySatisfied(
      async () =>
        (await done(get('/api/admin/audit', { limit: 50 }, { token: await operator('operator') }))).message.data.filter(
          ({ target }) => target === file,
        ),
      (found) => found.length >= 4,
    );
    expect(trail.map(({ action }) => action).sort()).toEqual(
      ['appeals.assign', 'appeals.decide', 'appeals.note', 'appeals.note'].sort(),
    );
    await offShelf(owner, ad);
  });
});

describe('after a cancel by deadline [APPEAL-025]', () => {
  test('the coins are taken from the remainder of the ad, and the deal is at 3 again', async () => {
    const bought = await legal(taker);
    const { ad, id } = await expiredDeal(owner, taker);
    expect(await keyOf(appeal(owner, id))).toBe('c2c.appealWindow');
    const { id: file } = await opened(taker, id);
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 1 });
    expect(await keyOf(confirm(owner, id))).toBe('c2c.appealOpen');
    await done(decide(file, 'buyer'));
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    await offShelf(owner, ad);
  });

  test('or from the balance of the seller, and return there by a decision of support', async () => {
    const before = await legal(owner);
    const { ad, id } = await expiredDeal(owner, taker);
    await offShelf(owner, ad);
    expect(await changed(owner, before)).toEqual([0n, 0n]);
    const { id: file } = await opened(taker, id);
    const stake = 10n * COIN + COIN / 100n;
    expect(await changed(owner, before)).toEqual([-stake, stake]);
    expect(await findFailingChecks()).toEqual([]);
    await done(decide(file, 'seller'));
    await eventuallySatisfied(
      () => changed(owner, before),
      ([free, held]) => free === 0n && held === 0n,
    );
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 2, appeal: 3 });
  });

  test('if they are not free it is a record: nothing is held and nothing is paid', async () => {
    const { ad, id } = await expiredDeal(owner, taker);
    await offShelf(owner, ad);
    const [free] = await legal(owner);
    const all = `${free / COIN}.${String(free % COIN).padStart(8, '0')}`;
    const transfer = (number: string, from: string, to: string) =>
      post('/api/wallet/change', { currency_id: USDT, number, from_field: from, to_field: to }, { token: owner });
    await done(transfer(all, 'legal', 'change'));
    const bought = await legal(taker);
    const body = await done(appeal(taker, id));
    expect(body.key).toBe('c2c.appealRecorded');
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 2, appeal: 1 });
    expect(await legal(owner)).toEqual([0n, 0n]);
    await done(decide(body['appeal'].id, 'buyer'));
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 2, appeal: 2 });
    expect(await changed(taker, bought)).toEqual([0n, 0n]);
    await done(transfer(all, 'change', 'legal'));
  });

  test('for 48 hours, and not after a cancel by the buyer', async () => {
    const { ad, id } = await expiredDeal(owner, taker);
    await advance(48 * HOUR);
    expect(await keyOf(appeal(taker, id))).toBe('c2c.appealWindow');
    const other = await taken(taker, ad);
    await done(cancel(taker, other));
    expect(await keyOf(appeal(taker, other))).toBe('c2c.appealWindow');
    await offShelf(owner, ad);
  });
});

describe('on an ad that is sold out meanwhile [APPEAL-029]', () => {
  const adStatus = async (id: number): Promise<number | undefined> => {
    const token = await operator('support1');
    const { message } = await done(get('/api/admin/c2c_ads', {}, { token }));
    return (message.data as { id: number; status: number }[]).find((row) => row.id === id)?.status;
  };
  const expire = async (ad: number): Promise<string> => {
    const id = await taken(third, ad);
    await advance(15 * 60);
    await eventuallySatisfied(
      () => dealOf(third, id),
      ({ is_sure: state }) => state === 2,
    );
    return id;
  };

  test('late appeals put it back on the shelf until they end, however they end', async () => {
    const before = await legal(owner);
    const ad = await sellAd(owner, { total_number: '10', limit_minutes: 15 });
    const [first, second] = [await expire(ad), await expire(ad)];
    const sold = await taken(third, ad);
    await done(pay(third, sold));
    await done(confirm(owner, sold));
    expect(await adStatus(ad)).toBe(3);
    const stake = 10n * COIN + COIN / 100n;

    await opened(third, first);
    expect(await adStatus(ad)).toBe(1);
    expect(await findFailingChecks()).toEqual([]);
    await done(takeBack(third, first));
    expect(await adStatus(ad)).toBe(3);

    const files = [await opened(third, first), await opened(third, second)];
    expect(await findFailingChecks()).toEqual([]);
    await done(decide(files[0]!.id, 'buyer'));
    expect(await adStatus(ad)).toBe(1);
    await done(decide(files[1]!.id, 'seller'));
    expect(await adStatus(ad)).toBe(3);
    expect(await findFailingChecks()).toEqual([]);
    await eventuallySatisfied(
      () => changed(owner, before),
      ([free, held]) => free === -2n * stake && held === 0n,
    );
  });
});

describe('time [APPEAL-026]', () => {
  test('a seller is silent for 24 hours: an appeal opens, and cannot be withdrawn', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    await advance(24 * HOUR - 60);
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 0 });
    await advance(60);
    expect(await appealOf(taker, id)).toMatchObject({ opened_by: 'system', state: 1 });
    for (const token of [owner, taker]) expect(await keyOf(takeBack(token, id))).toBe('c2c.state');
    await done(decide((await appealOf(taker, id)).id, 'seller'));
    await offShelf(owner, ad);
  });

  test('a withdrawn appeal gives the seller another 24 hours', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    await advance(23 * HOUR);
    await opened(taker, id);
    await done(takeBack(taker, id));
    await advance(23 * HOUR);
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 0 });
    await advance(HOUR);
    expect(await appealOf(taker, id)).toMatchObject({ opened_by: 'system', state: 1 });
    await done(decide((await appealOf(taker, id)).id, 'seller'));
    await offShelf(owner, ad);
  });

  test('open beyond its time it is counted as work, and is no alarm [APPEAL-027] [HARD-446]', async () => {
    const { ad, id } = await paidDeal(owner, taker);
    const { id: file } = await opened(taker, id);
    const token = await operator('support1');
    const desk = () => wholeDashboard(token);
    expect((await desk()).work).toMatchObject({ appeals: 1, appeals_overdue: 0 });
    await advance(48 * HOUR);
    await eventuallySatisfied(desk, ({ work }) => work['appeals_overdue'] === 1, 20_000);
    expect((await desk()).alarms).toEqual([]);
    expect((await get('/api/status')).body.message).toMatchObject({ audit: 'ok' });
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, appeal: 1 });
    await done(decide(file, 'seller'));
    await eventuallySatisfied(desk, ({ work }) => work['appeals'] === 0, 20_000);
    await offShelf(owner, ad);
  });
});

describe('two at once [APPEAL-028]', () => {
  test('of an appeal and a confirmation at once one succeeds, and the other is refused with the state', async () => {
    for (let round = 0; round < 5; round++) {
      const { ad, id } = await paidDeal(owner, taker);
      const [asked, sure] = await Promise.all([keyOf(appeal(taker, id)), keyOf(confirm(owner, id))]);
      const { is_sure: state, appeal: open } = await dealOf(taker, id);
      if (state === 1) expect([asked, sure, open]).toEqual(['c2c.appealWindow', 'c2c.released', 0]);
      else expect([asked, sure, state, open]).toEqual(['c2c.appealOpened', 'c2c.appealOpen', 3, 1]);
      if (state === 3) await done(decide((await appealOf(taker, id)).id, 'seller'));
      await offShelf(owner, ad);
    }
  });

  test('both sides appeal, and operators decide both ways, each many times: one has an effect', async () => {
    const bought = await legal(taker);
    const { ad, id } = await paidDeal(owner, taker);
    const asked = keysOf(await callAtOnce(16, (at) => appeal(at % 2 ? owner : taker, id)));
    expect(asked.filter((key) => key === 'c2c.appealOpened')).toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set(['c2c.appealOpened', 'c2c.appealOpen']));
    const { id: file } = await appealOf(taker, id);
    const said = keysOf(
      await callAtOnce(16, (at) => decide(file, at % 2 ? 'buyer' : 'seller', at % 4 < 2 ? 'finance1' : 'finance2')),
    );
    expect(said.filter((key) => key === 'admin.appealDecided')).toHaveLength(1);
    const { is_sure: state } = await dealOf(taker, id);
    expect(await changed(taker, bought)).toEqual([state === 1 ? 10n * COIN : 0n, 0n]);
    await offShelf(owner, ad);
  });

  test('a late appeal many times at once holds the coins once', async () => {
    const { ad, id } = await expiredDeal(owner, taker);
    await offShelf(owner, ad);
    const before = await legal(owner);
    const asked = keysOf(await callAtOnce(8, () => appeal(taker, id)));
    expect(asked.filter((key) => key === 'c2c.appealOpened')).toHaveLength(1);
    expect(await changed(owner, before)).toEqual([-(10n * COIN + COIN / 100n), 10n * COIN + COIN / 100n]);
    await done(decide((await appealOf(taker, id)).id, 'seller'));
  });
});
