import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { each, malformed, send, type RawAnswer } from './attack.js';
import { get, post, type Fields } from './client.js';
import {
  appeal,
  appealOf,
  cancel,
  chatOf,
  dealOf,
  decide,
  legal,
  offShelf,
  paidDeal,
  say,
  sellAd,
  taken,
  USDT,
} from './deal-room.js';
import {
  createAcceptor,
  done,
  FUND,
  createUsdtMerchant,
  operator,
  PIXEL,
  send as sendFile,
  upload,
  type Person,
} from './people.js';

/*
 * Attacks on deals, ads, shops and acceptors. The sender fulfils all preconditions of the calls (KYC, payment settings,
 * fund password, coins, the role), so that the fields themselves are validated: a correct call, with one field after
 * another made wrong.
 */
jest.setTimeout(testTimeoutMs(150_000));

let owner: Person, taker: Person, mallory: Person;
let desk: string;
beforeAll(async () => {
  desk = (await createAcceptor({ posted: '1000', cash: '1000' })).token;
  [owner, taker, mallory] = await Promise.all([
    createUsdtMerchant('3000'),
    createUsdtMerchant('3000'),
    createUsdtMerchant('3000'),
  ]);
});

/** Values that are neither numbers, nor ids, nor allowed words. */
const NONSENSE = [
  '',
  '0',
  '-1',
  '1e9',
  '0x1F',
  'NaN',
  'Infinity',
  '+1',
  '1,000',
  '1_000',
  '1.',
  '.5',
  '01',
  '0.0000000000000000000001',
  '9'.repeat(400),
  '١',
  '１',
  'true',
  'null',
  '[]',
  '{}',
  "' or '1'='1",
  "1'; select pg_sleep(3)--",
  '../../../../etc/passwd',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  'http://169.254.169.254/latest',
  'x'.repeat(8_000),
];
/** Empty is absent in a form: the call's own default is taken. */
const OPTIONAL = new Set(['limit_minutes', 'number']);
/** Wrong ones close the fund password for a quarter of an hour; FUND-003 tries them. */
const SECRETS = new Set(['password']);
/** Free-text fields: the value is stored unchanged and shown as text. */
const WORDS = new Set(['reason', 'text', 'name', 'deal_account', 'bank_address', 'wechat_nickname', 'ali_nickname']);

interface Tried {
  readonly path: string;
  readonly token: () => string;
  /** A call that would do. */
  readonly fields: () => Fields;
}
/** Makes one field after another wrong, and returns every answer that is not a clean refusal of that field. */
async function fuzz(tried: readonly Tried[]): Promise<string[]> {
  const all = tried.flatMap(({ path, token, fields }) =>
    Object.keys(fields())
      .filter((field) => !SECRETS.has(field))
      .flatMap((field) =>
        NONSENSE.filter((value) => value !== '' || !OPTIONAL.has(field)).map((value) => ({
          path,
          token,
          fields,
          field,
          value,
        })),
      ),
  );
  const found = await each(all, async ({ path, token, fields, field, value }) => {
    const asked = Object.fromEntries(
      Object.entries({ ...fields(), [field]: value }).map(([name, given]) => [name, String(given)]),
    );
    const answer = await send({ method: 'POST', path }, asked, token());
    const fault = faultOf(path, field, answer);
    return fault === null ? null : `${path} ${field}=${value.slice(0, 40)}: ${fault}`;
  });
  return found.filter((line) => line !== null);
}
function faultOf(path: string, field: string, answer: RawAnswer): string | null {
  const fault = malformed({ path }, answer);
  if (fault !== null) return fault;
  if (answer.body.type === 'ok' && !WORDS.has(field)) return `was done: ${answer.text.slice(0, 160)}`;
  if (answer.body.key === 'common.unavailable' || answer.body.key === 'common.processing') return answer.body.key;
  return null;
}

describe('fields, one after another [ATTACK-020]', () => {
  const sell = { total_number: '10', price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' };
  const onAd = { password: FUND };

  test('of publishing and taking: nothing wrong is done', async () => {
    const ad = await sellAd(owner.token);
    const before = await Promise.all([legal(owner.token), legal(mallory.token)]);
    const token = (): string => mallory.token;
    expect(
      await fuzz([
        { path: '/api/c2c_send', token, fields: () => ({ ...sell, limit_minutes: 30, password: FUND }) },
        { path: '/api/c2c/do_legal_deal', token, fields: () => ({ id: ad, number: '10', ...onAd }) },
        { path: '/api/c2c/back_send', token: () => owner.token, fields: () => ({ id: ad, ...onAd }) },
      ]),
    ).toEqual([]);
    expect(await Promise.all([legal(owner.token), legal(mallory.token)])).toEqual(before);
    await offShelf(owner.token, ad);
  });

  test('of a deal, its chat and its appeal: nothing wrong is done to its money', async () => {
    const { ad, id } = await paidDeal(owner.token, taker.token);
    const before = await Promise.all([legal(owner.token), legal(taker.token)]);
    const [by, of] = [(): string => taker.token, (): string => owner.token];
    const wrongOf = await fuzz([
      { path: '/api/c2c/user_legal_pay', token: by, fields: () => ({ id, ...onAd }) },
      { path: '/api/c2c/user_legal_pay_cancel', token: by, fields: () => ({ id, ...onAd }) },
      { path: '/api/c2c/legal_deal_sure', token: of, fields: () => ({ id, ...onAd }) },
      { path: '/api/c2c/legal_deal_user_sure', token: by, fields: () => ({ id, ...onAd }) },
      { path: '/api/c2c/appeal_cancel', token: by, fields: () => ({ id }) },
      { path: '/api/c2c/chat', token: by, fields: () => ({ id }) },
    ]);
    expect(wrongOf).toEqual([]);
    expect(await Promise.all([legal(owner.token), legal(taker.token)])).toEqual(before);
    expect(await dealOf(taker.token, id)).toMatchObject({ is_sure: 3, appeal: 0 });
    await done(appeal(taker.token, id));
    const file = (await appealOf(taker.token, id)).id;
    const finance = await operator('finance1');
    const judged = await fuzz([
      { path: '/api/c2c/appeal_evidence', token: by, fields: () => ({ id, url: 'nowhere' }) },
      {
        path: '/api/admin/appeals/decide',
        token: () => finance,
        fields: () => ({ id: file, outcome: 'buyers', reason: 'an attack of the tests' }),
      },
    ]);
    expect(judged).toEqual([]);
    expect(await dealOf(taker.token, id)).toMatchObject({ is_sure: 3, appeal: 1 });
    await done(decide(file, 'seller'));
    await offShelf(owner.token, ad);
  });

  test('of a shop: application, ads, merchant account and deals', async () => {
    const applied = await done(
      post(
        '/api/legal/shop_apply',
        { name: 'Attack Desk', currency_id: USDT, level: 'verified', password: FUND },
        { token: owner.token },
      ),
    );
    const { id: shop_id } = applied.shop;
    const support = await operator('support1');
    await done(
      post('/api/admin/shops/decide', { id: shop_id, pass: 1, reason: 'a shop of the tests' }, { token: support }),
    );
    const [by, of] = [(): string => mallory.token, (): string => owner.token];
    await done(
      post(
        '/api/legal/merchant_transfer',
        { shop_id, number: '100', direction: 'in', password: FUND },
        { token: owner.token },
      ),
    );
    const { currency_id: _coin, ...offer } = sell;
    const posted = { shop_id, ...offer, min_number: '1', max_number: '10', limit_minutes: 30, password: FUND };
    const { ad } = await done(post('/api/legal/send', posted, { token: owner.token }));
    const { id } = ad;
    const held = { shop_id, number: '1', direction: 'out', password: FUND };
    const before = await Promise.all([legal(owner.token), legal(mallory.token)]);
    expect(
      await fuzz([
        // A user without a shop applies for a level that does not exist, so that only the wrong field decides.
        {
          path: '/api/legal/shop_apply',
          token: by,
          fields: () => ({ name: 'A Shop', currency_id: USDT, level: 'royal', password: FUND }),
        },
        { path: '/api/legal/send', token: of, fields: () => posted },
        { path: '/api/legal/merchant_transfer', token: of, fields: () => held },
        { path: '/api/legal/do_deal', token: by, fields: () => ({ id, number: '2', password: FUND }) },
        { path: '/api/legal/do_deal', token: by, fields: () => ({ id, money: '13', password: FUND }) },
        {
          path: '/api/admin/shops/decide',
          token: () => support,
          fields: () => ({ id: shop_id, pass: 1, reason: 'an attack of the tests' }),
        },
      ]),
    ).toEqual([]);
    expect(await Promise.all([legal(owner.token), legal(mallory.token)])).toEqual(before);
    await done(post('/api/legal/back_send', { id, password: FUND }, { token: owner.token }));
  });

  test('of an acceptor and of the other side of its deals', async () => {
    const account = (await done(get('/api/acceptor/account', {}, { token: desk }))).message;
    const asked = { mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank', money: '100', password: FUND };
    const opened = await done(
      post('/api/acceptor/deal', { acceptor_id: account.id, type: 'sell', ...asked }, { token: taker.token }),
    );
    const { id } = opened.deal;
    const before = await Promise.all([legal(taker.token), legal(mallory.token)]);
    const [by, of] = [(): string => mallory.token, (): string => desk];
    expect(
      await fuzz([
        {
          path: '/api/acceptor/deal',
          token: by,
          // More than the acceptor has: correct fields are refused too, whatever the text fields contain.
          fields: () => ({ acceptor_id: account.id, type: 'sell', ...asked, money: '99999999' }),
        },
        { path: '/api/acceptor/user_confirm', token: () => taker.token, fields: () => ({ id }) },
        { path: '/api/acceptor/confirm', token: of, fields: () => ({ id, password: FUND }) },
        { path: '/api/acceptor/transferred', token: of, fields: () => ({ id, proof_pic: 'nowhere', password: FUND }) },
        {
          path: '/api/acceptor/fund',
          token: of,
          fields: () => ({ direction: 'in', number: '99999999', password: FUND }),
        },
        {
          path: '/api/acceptor/rates',
          token: of,
          fields: () => ({ recharge_rate: '21', cash_rate: '21', password: FUND }),
        },
      ]),
    ).toEqual([]);
    expect(await Promise.all([legal(taker.token), legal(mallory.token)])).toEqual(before);
    await done(post('/api/acceptor/user_cancel', { id }, { token: taker.token }));
  });
});

describe("other people's deals [ATTACK-021]", () => {
  const alike = ({ body }: { readonly body: object }): unknown => {
    const { request_id: _one, command_id: _two, ...rest } = body as Record<string, unknown>;
    return rest;
  };
  /** An id of the right format that does not exist. */
  const nobodys = (id: string): string => id.replace(/\d(?=\d{2}$)/, (digit) => String((Number(digit) + 5) % 10));

  test('are answered exactly like unknown ids, without any effect', async () => {
    const { ad, id } = await paidDeal(owner.token, taker.token);
    await done(appeal(taker.token, id));
    const picture = await upload(mallory.token, 'evidence');
    const second = await createUsdtMerchant('600');
    const token = mallory.token;
    const post_ =
      (path: string, fields: Fields = {}, as = token) =>
      (of: string) =>
        post(path, { id: of, ...fields }, { token: as });
    const get_ =
      (path: string, fields: Fields = {}) =>
      (of: string) =>
        get(path, { id: of, ...fields }, { token });
    const own = { password: FUND };
    const onDeal = {
      'the deal': get_('/api/c2c_deal'),
      'its chat': get_('/api/c2c/chat'),
      'a word in its chat': post_('/api/c2c/chat', { text: 'hello' }),
      'its appeal': get_('/api/c2c/appeal'),
      'evidence in it': post_('/api/c2c/appeal_evidence', { url: picture }),
      'an appeal of it': post_('/api/c2c/appeal', { reason: 'I want these coins too' }),
      'taking its appeal back': post_('/api/c2c/appeal_cancel'),
      'its transcript': get_('/api/c2c/transcript'),
      'its payment': post_('/api/c2c/user_legal_pay', own),
      'its cancel': post_('/api/c2c/user_legal_pay_cancel', own),
      'its release': post_('/api/c2c/legal_deal_sure', own),
      'its release by a taker': post_('/api/c2c/legal_deal_user_sure', own),
    };
    for (const [what, ask] of Object.entries(onDeal)) {
      const [foreign, unknown] = [await ask(id), await ask(nobodys(id))];
      expect([what, foreign.status, alike(foreign)]).toEqual([what, unknown.status, alike(unknown)]);
      expect([what, foreign.body.type, foreign.body.key]).toEqual([what, 'error', 'common.notFound']);
    }
    const onAd = {
      'withdrawing the ad': post_('/api/c2c/back_send', own),
      'the deals on it': get_('/api/c2c/legal_send_deal_list', { page: 1 }),
    };
    for (const [what, ask] of Object.entries(onAd)) {
      const [foreign, unknown] = [await ask(String(ad)), await ask('2147483000')];
      expect([what, foreign.status, alike(foreign)]).toEqual([what, unknown.status, alike(unknown)]);
    }
    expect(await dealOf(taker.token, id)).toMatchObject({ is_sure: 3, appeal: 1 });
    expect((await chatOf(taker.token, id)).filter(({ text }) => text === 'hello')).toEqual([]);
    await done(decide((await appealOf(taker.token, id)).id, 'seller'));
    await offShelf(owner.token, ad);

    // The shop of one seller is not there for another seller.
    const shops = (await done(get('/api/legal/my_shops', {}, { token: owner.token }))).message;
    const apply = { name: 'Second Desk', currency_id: USDT, level: 'verified', password: FUND };
    const { shop } = await done(post('/api/legal/shop_apply', apply, { token: second.token }));
    const support = await operator('support1');
    const opening = { id: shop.id, pass: 1, reason: 'a shop of the tests' };
    await done(post('/api/admin/shops/decide', opening, { token: support }));
    const sellers = {
      'its ads': (of: number) => get('/api/legal/my_ads', { shop_id: of, page: 1 }, { token: second.token }),
      'its deals': (of: number) => get('/api/legal/my_deals', { shop_id: of, page: 1 }, { token: second.token }),
      'its merchant account': (of: number) =>
        post(
          '/api/legal/merchant_transfer',
          { shop_id: of, number: '1', direction: 'out', ...own },
          { token: second.token },
        ),
      'an ad of it': (of: number) =>
        post(
          '/api/legal/send',
          {
            ...{ shop_id: of, type: 'buy', coin_code: 'CNY', way: 'bank', price: '6.5', total_number: '10' },
            ...{ min_number: '1', max_number: '10', ...own },
          },
          { token: second.token },
        ),
    };
    for (const [what, ask] of Object.entries(sellers)) {
      const [foreign, unknown] = [await ask(shops[0]!.id), await ask(2_147_483_000)];
      expect([what, foreign.status, alike(foreign)]).toEqual([what, unknown.status, alike(unknown)]);
      expect([what, foreign.body.type]).toEqual([what, 'error']);
    }
  });

  test('cannot be counted: ids of deals and appeals do not follow one another', async () => {
    // A buyer may cancel three deals a day: this one has cancelled none.
    const buyer = await createUsdtMerchant('100');
    const ids: bigint[] = [];
    for (let round = 0; round < 3; round++) {
      const ad = await sellAd(owner.token);
      const id = await taken(buyer.token, ad);
      ids.push(BigInt(id));
      await done(cancel(buyer.token, id));
      await offShelf(owner.token, ad);
    }
    const steps = ids.slice(1).map((id, at) => id - ids[at]!);
    // Ids of a sequence would differ by 1, or by the same each time; those beside a known one lead nowhere.
    expect(steps.every((step) => step !== 1n)).toBe(true);
    for (const id of ids)
      for (const near of [id - 2n, id - 1n, id + 1n, id + 2n]) {
        const { body } = await get('/api/c2c_deal', { id: String(near) }, { token: mallory.token });
        expect(body.key).toBe('common.notFound');
      }
  });
});

describe('text and pictures in a deal [ATTACK-022]', () => {
  test('HTML in the chat is text, and no file but a picture goes into it', async () => {
    const { ad, id } = await paidDeal(owner.token, taker.token);
    const html = '<img src=x onerror="alert(1)"><script>alert(document.cookie)</script>';
    await done(say(taker.token, id, { text: html }));
    const line = (await chatOf(owner.token, id)).find(({ text }) => text.includes('onerror'));
    expect(line).toMatchObject({ from: 'buyer', text: html, image: '' });
    const transcript = await get('/api/c2c/transcript', { id }, { token: taker.token });
    expect(transcript.text).not.toContain('<script>alert');
    expect(transcript.text).not.toContain('<img src=x');
    const bombs: readonly [string, Buffer][] = [
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['half a picture', PIXEL.subarray(0, 20)],
      ['a picture that says that it is enormous', enormous()],
      ['nothing', Buffer.alloc(0)],
    ];
    for (const [what, file] of bombs) {
      const { body } = await sendFile(taker.token, file, { scene: 'chat' });
      expect([what, body.type]).toEqual([what, 'error']);
    }
    // Another user's picture, or one of another scene, is not accepted in this chat.
    for (const image of [
      await upload(mallory.token, 'chat'),
      await upload(taker.token, 'kyc'),
      'https://x.example/a.png',
    ])
      expect((await say(taker.token, id, { image })).body.type).toBe('error');
    await done(post('/api/c2c/legal_deal_sure', { id, password: FUND }, { token: owner.token }));
    await offShelf(owner.token, ad);
  });

  /** Returns a PNG whose header declares 60,000 × 60,000 pixels. */
  function enormous(): Buffer {
    const copy = Buffer.from(PIXEL);
    copy.writeUInt32BE(60_000, 16);
    copy.writeUInt32BE(60_000, 20);
    return copy;
  }

  test('after all of it every coin has its cause, and the auditors are quiet', async () => {
    expect(await findFailingChecks()).toEqual([]);
  });
});
