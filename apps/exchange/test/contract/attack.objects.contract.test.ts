import { randomBytes, randomInt } from 'node:crypto';
import { deflateRawSync, deflateSync, crc32 } from 'node:zlib';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { totpCode } from '@bourse/testing/totp';
import { findFailingChecks } from './audit.js';
import { call, callAtOnce, get, post, put, type Answered, type Body, type Fields } from './client.js';
import {
  createCertified,
  codeFor,
  createTraders,
  done,
  FUND,
  createNewcomer,
  PASSWORD,
  PIXEL,
  send,
  upload,
  type Person,
} from './people.js';

/*
 * Attacks on single objects, images, codes and passwords. Attacks on every call are in attack.contract.test.ts.
 */
jest.setTimeout(testTimeoutMs(75_000));

let mallory: Person, victim: Person;
beforeAll(async () => {
  [mallory, victim] = await createTraders(2, { change: { 3: '1000' } });
});

const alike = ({ body }: { readonly body: Body }): unknown => {
  const { request_id: _one, command_id: _two, ...rest } = body;
  return rest;
};
const unknownId = (): string => String(randomInt(1, 2 ** 47)) + String(randomInt(1000, 9999));

describe('objects of other people', () => {
  test('are answered exactly like unknown ids [ATTACK-010]', async () => {
    const order = await done(
      post(
        '/api/coin/trade',
        {
          legal_id: 3,
          currency_id: 1,
          type: 1,
          target_price: '100',
          amount: '0.1',
          client_order_id: `v${randomBytes(6).toString('hex')}`,
        },
        { token: victim.token, headers: { 'idempotency-key': `victim-${randomBytes(6).toString('hex')}` } },
      ),
    );
    const { client_order_id: clientId } = order.order;
    const key = (
      await done(post('/api/apikey', { label: 'mine', permissions: 'read', password: FUND }, { token: victim.token }))
    ).message;
    const [session] = (await done(get('/api/user/sessions', {}, { token: victim.token }))).message;
    const image = await upload(victim.token, 'kyc');
    const papers = await createNewcomer();
    const own = await upload(papers.token, 'kyc');
    const nothing = image.replace(/[A-Za-z0-9_-]{32}/, 'A'.repeat(32));
    const kinds: [string, (id: string) => Promise<Answered>, string, string][] = [
      ['an order', (id) => get('/api/coin/order', { id }, { token: mallory.token }), order.id, unknownId()],
      [
        'an order by its own name',
        (id) => get('/api/coin/order', { client_order_id: id }, { token: mallory.token }),
        clientId,
        'nobody-has-this',
      ],
      [
        'the cancel of an order',
        (id) => put('/api/coin/trade', { id }, { token: mallory.token }),
        order.id,
        unknownId(),
      ],
      [
        'the cancel by its own name',
        (id) => put('/api/coin/trade', { client_order_id: id }, { token: mallory.token }),
        clientId,
        'nobody-has-this',
      ],
      [
        'the change of an order',
        (id) => put('/api/coin/order', { id, amount: '1' }, { token: mallory.token }),
        order.id,
        unknownId(),
      ],
      [
        'the old cancel',
        (id) => post('/api/transaction_del', { id, type: 'in' }, { token: mallory.token }),
        order.id,
        unknownId(),
      ],
      ['fills', (id) => get('/api/coin/fills', { order_id: id }, { token: mallory.token }), order.id, unknownId()],
      [
        'a command',
        (id) => get('/api/command', { key: id }, { token: mallory.token }),
        order.command_id ?? '',
        `${(order.command_id ?? '').slice(0, 50)}_`,
      ],
      [
        'an API key',
        (id) => call('DELETE', '/api/apikey', { key: id, password: FUND }, { token: mallory.token }),
        key.key,
        'A'.repeat(key.key.length),
      ],
      [
        'a session',
        (id) => post('/api/user/session_revoke', { id }, { token: mallory.token }),
        session!.id,
        'A'.repeat(session!.id.length),
      ],
      [
        'an image',
        (address) =>
          post(
            '/api/user/real_name',
            { name: 'No One', card_id: 'P12345678', front_pic: own, reverse_pic: address },
            { token: papers.token },
          ),
        image,
        nothing,
      ],
      ['a withdrawal', (id) => post('/api/wallet/out_cancel', { id }, { token: mallory.token }), order.id, unknownId()],
      [
        'a held deposit',
        (id) =>
          post(
            '/api/wallet/deposit_return',
            { id, address: '0x00000000000000000000000000000000000000a1', password: FUND },
            { token: mallory.token },
          ),
        order.id,
        unknownId(),
      ],
      [
        'a bound address',
        (id) => post('/api/wallet/deladdress', { address_id: id }, { token: mallory.token }),
        '1',
        '2147483000',
      ],
    ];
    for (const [what, ask, foreign, unknown] of kinds) {
      const [one, other] = [await ask(foreign), await ask(unknown)];
      expect([what, one.status, alike(one)]).toEqual([what, other.status, alike(other)]);
      expect([what, one.status === 200, one.body.type]).toEqual([what, true, what === 'fills' ? 'ok' : 'error']);
    }
    // And nothing happened to them.
    expect((await get('/api/coin/order', { id: order.id }, { token: victim.token })).body.message).toMatchObject({
      status: 1,
      cancelled: 0,
    });
    expect((await done(get('/api/apikey', {}, { token: victim.token }))).message).toHaveLength(1);
    expect((await get('/api/user/info', {}, { token: victim.token })).body.type).toBe('ok');
  });
});

describe('images', () => {
  /** A PNG of one kilobyte whose header declares an enormous picture. */
  function bomb(side: number): Buffer {
    const chunk = (type: string, data: Buffer): Buffer => {
      const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
      const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
      head.writeUInt32BE(data.length);
      tail.writeUInt32BE(crc32(named));
      return Buffer.concat([head, named, tail]);
    };
    const head = Buffer.alloc(13);
    head.writeUInt32BE(side, 0);
    head.writeUInt32BE(side, 4);
    head.set([1, 0, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(1 << 20))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }

  test('bombs, polyglots, scripts, archives are refused or become a picture [ATTACK-011]', async () => {
    const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), deflateRawSync(Buffer.alloc(1_000_000))]);
    const files: [string, Buffer, number, string][] = [
      ['25,000 × 25,000', bomb(25_000), 413, 'upload.size'],
      ['2³¹ × 2³¹', bomb(2 ** 31 - 1), 200, 'upload.type'],
      ['6 MB', Buffer.concat([PIXEL, Buffer.alloc(6 << 20)]), 413, 'upload.size'],
      ['an archive', zip, 200, 'upload.type'],
      [
        'SVG',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        200,
        'upload.type',
      ],
      ['GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 200, 'upload.type'],
      ['HTML under a good name', Buffer.from('<html><script>alert(1)</script>'), 200, 'upload.type'],
      ['half a head', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), 200, 'upload.type'],
      ['a cut picture', PIXEL.subarray(0, 40), 200, 'upload.type'],
    ];
    for (const [what, bytes, status, key] of files) {
      const answer = await send(mallory.token, bytes, { scene: 'chat' });
      expect([what, answer.status, answer.body.key]).toEqual([what, status, key]);
    }
    expect((await get('/api/time')).status).toBe(200);
    const polyglot = await send(
      mallory.token,
      Buffer.concat([PIXEL, Buffer.from('<script>alert(document.domain)</script>'), zip]),
      { scene: 'chat' },
      'evil.html',
    );
    const shown = await fetch(new URL(polyglot.body.message as string, process.env['BOURSE_URL']));
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await shown.arrayBuffer()).includes('script')).toBe(false);
  });
});

describe('guessing', () => {
  test('a code is wrong five times, and then no code is right any more [ATTACK-012]', async () => {
    const { account, token } = await createNewcomer();
    await done(post('/api/sms_mail', { user_string: account, scene: 'fund' }, { token }));
    const right = await codeFor(account, 'fund');
    const wrong = right === '123456' ? '654321' : '123456';
    const tries = await Promise.all(
      Array.from({ length: 32 }, () =>
        post('/api/safe/update_password', { password: FUND, re_password: FUND, code: wrong }, { token }),
      ),
    );
    expect(tries.filter(({ body }) => body.type === 'ok')).toEqual([]);
    expect(
      (await post('/api/safe/update_password', { password: FUND, re_password: FUND, code: right }, { token })).body
        .type,
    ).toBe('error');
    expect((await post('/api/safe/judge_password', {}, { token })).body).toMatchObject({ type: 'not', is_set: 0 });
  });

  test('a fund password is wrong five times, through any call; the right one waits too [ATTACK-012]', async () => {
    const { token } = await createCertified();
    const calls: ((password: string) => Promise<Answered>)[] = [
      (password) => call('DELETE', '/api/apikey', { key: 'A'.repeat(24), password }, { token }),
      (password) => post('/api/apikey', { label: 'x', permissions: 'read', password }, { token }),
    ];
    const answers = await Promise.all(
      [...'abcdefghijklmnopqrstuvwxyz0123'].map((last, at) => calls[at % calls.length]!(`wrong${last}`)),
    );
    expect(answers.map(({ body }) => body.key).filter((key) => key !== 'fund.wrong' && key !== 'fund.locked')).toEqual(
      [],
    );
    expect(answers.filter(({ body }) => body.key === 'fund.wrong').length).toBeLessThanOrEqual(5);
    expect((await post('/api/apikey', { label: 'x', permissions: 'read', password: FUND }, { token })).body.key).toBe(
      'fund.locked',
    );
    expect((await get('/api/apikey', {}, { token })).body.message).toEqual([]);
  });

  test('a step of an authenticator is good once, and wrong ones take nothing off [ATTACK-012]', async () => {
    const { token } = await createCertified();
    const { secret } = (await done(post('/api/safe/totp_setup', {}, { token }))).message;
    const now = totpCode(secret);
    await done(post('/api/safe/totp_enable', { totp_code: now }, { token }));
    for (let at = 0; at < 12; at += 1)
      expect(
        (await post('/api/safe/totp_disable', { totp_code: String(100_000 + at * 7), password: PASSWORD }, { token }))
          .body.type,
      ).toBe('error');
    // The step that switched it on is used up.
    expect((await post('/api/safe/totp_disable', { totp_code: now, password: PASSWORD }, { token })).body.type).toBe(
      'error',
    );
    expect((await get('/api/user/info', {}, { token })).body.message).toMatchObject({ totp: 1 });
  });
});

describe('races', () => {
  test('of 64 transfers of a tenth of a balance exactly ten pass [ATTACK-013]', async () => {
    const answers = await callAtOnce(64, () =>
      post(
        '/api/wallet/change',
        { number: '100', currency_id: 3, from_field: 'change', to_field: 'legal' },
        { token: mallory.token },
      ),
    );
    const keys = answers.map(({ body }) => (body.type === 'ok' ? 'ok' : body.key));
    expect(keys.filter((key) => key === 'ok')).toHaveLength(10);
    expect(new Set(keys)).toEqual(new Set(['ok', 'balance.insufficient']));
    expect((await post('/api/wallet/detail', { currency: 3 }, { token: mallory.token })).body.message).toMatchObject({
      change_balance: expect.stringMatching(/^0(\.0+)?$/),
      legal_balance: expect.stringMatching(/^1000(\.0+)?$/),
    });
  });

  test('32 times the same command at once is one command [ATTACK-013]', async () => {
    const headers = { 'idempotency-key': `race-${randomBytes(8).toString('hex')}` };
    const fields: Fields = { number: '1', currency_id: 3, from_field: 'change', to_field: 'legal' };
    await Promise.all(
      Array.from({ length: 32 }, () => post('/api/wallet/change', fields, { token: victim.token, headers })),
    );
    const again = await post('/api/wallet/change', fields, { token: victim.token, headers });
    expect(again.body).toMatchObject({ type: 'ok', key: 'transfer.success' });
    const { message } = (await get('/api/wallet/hzhistory', {}, { token: victim.token })).body;
    expect(message.total).toBe(1);
  });
});

test('HTML stays text: no browser would run an answer, and mails contain none of it [ATTACK-014]', async () => {
  const { account, token } = await createCertified('<b onmouseover=alert(1)>Eve</b>');
  const evil = '<img src=x onerror=alert(1)>';
  await done(
    post(
      '/api/user/set_bank_account',
      { real_name: evil, bank_no: '4000123412341234', bank_name: evil, region: 'Lisbon/Alfama', phone: '5550109999' },
      { token },
    ),
  );
  const label = await post('/api/apikey', { label: evil, permissions: 'read', password: FUND }, { token });
  expect(label.body.type).toBe('ok');
  for (const answer of [await get('/api/user/center', {}, { token }), await get('/api/apikey', {}, { token }), label])
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      'application/json; charset=utf-8',
      'nosniff',
    ]);
  const { body } = await get('/dev/inbox', { to: account });
  expect(
    (body.message as { text: string }[]).filter(({ text }) => text.includes('<img') || text.includes('<b ')),
  ).toEqual([]);
});

test('after all of it every row has its cause, and the auditors are quiet [ATTACK-009]', async () => {
  for (const { token } of [mallory, victim])
    expect((await get('/api/statement/check', {}, { token })).body.message).toMatchObject({ ok: 1 });
  expect(await findFailingChecks()).toEqual([]);
});
