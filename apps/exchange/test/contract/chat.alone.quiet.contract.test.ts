import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ChatLine } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { connect, get, keyOf } from './client.js';
import { advance } from './dev-clock.js';
import {
  appeal,
  appealOf,
  chatOf,
  confirm,
  dealOf,
  decide,
  evidence,
  offShelf,
  paidDeal,
  say,
  sellAd,
  setting,
  taken,
  USDT,
} from './deal-room.js';
import { createMerchants, done, operator, upload } from './people.js';

// Runs alone: deadlines pass by moving the clock of the install.
jest.setTimeout(testTimeoutMs(75_000));

interface ChatPush {
  readonly deal_id: string;
  readonly line: ChatLine;
}
const DAY = 86_400;
const HTML = `<script>alert('x')</script>&amp;"<b>`;
let [owner, taker, third] = ['', '', ''];
let ad = 0;
let id = '';
beforeAll(async () => {
  const people = await createMerchants(3, { legal: { [USDT]: '5000' } });
  [owner, taker, third] = people.map(({ token }) => token) as [string, string, string];
  ({ ad, id } = await paidDeal(owner, taker));
});
afterAll(async () => {
  if ((await dealOf(taker, id)).is_sure === 3) await done(confirm(owner, id));
  await offShelf(owner, ad);
  expect(await findFailingChecks()).toEqual([]);
});
const texts = (lines: readonly ChatLine[]): string[] => lines.map(({ text }) => text);

describe('the chat of a deal', () => {
  test('has a system line for each step, in the language of the reader [CHAT-010]', async () => {
    const lines = await chatOf(taker, id);
    expect(lines.map(({ id: number, from }) => [number, from])).toEqual([
      [2, 'system'],
      [1, 'system'],
    ]);
    const german = await get('/api/c2c/chat', { id }, { token: owner, headers: { lang: 'de' } });
    const [line] = german.body.message.list;
    expect(line?.text).not.toBe(lines[0]?.text);
    expect(line?.text).not.toContain('c2c.line');
  });

  test('lines are stored unchanged, numbered, paged, and readable from a given line on [CHAT-011]', async () => {
    const after = (await chatOf(taker, id))[0]!.id;
    for (const text of ['one', HTML, 'l'.repeat(1_000)]) await done(say(taker, id, { text }));
    const picture = (await done(say(owner, id, { image: await upload(owner, 'chat') }))).message;
    expect(picture).toMatchObject({ id: after + 4, from: 'seller', text: '' });
    expect((await get(picture.image)).headers.get('content-type')).toContain('image/');
    expect(texts(await chatOf(owner, id, { after }))).toEqual(['', 'l'.repeat(1_000), HTML, 'one']);
    const { message } = await done(get('/api/c2c/chat', { id, after, page: 2, limit: 3 }, { token: owner }));
    expect(message).toMatchObject({ list: [{ text: 'one', from: 'buyer' }], count: 4, has_more: 0 });
  });

  test('refuses invalid lines: empty, too long, control characters, a picture of others [CHAT-012]', async () => {
    const count = (await chatOf(taker, id)).length;
    expect(await keyOf(say(taker, id, {}))).toBe('common.fieldRequired');
    expect(await keyOf(say(taker, id, { text: '' }))).toBe('common.fieldRequired');
    expect(await keyOf(say(taker, id, { text: 'l'.repeat(1_001) }))).toBe('common.fieldInvalid');
    expect(await say(taker, id, { text: 'a\u0000b' })).toMatchObject({ status: 400 });
    for (const image of [await upload(owner, 'chat'), await upload(taker, 'pay'), 'https://example.org/a.png'])
      expect(await keyOf(say(taker, id, { image }))).toBe('upload.required');
    expect(await chatOf(taker, id)).toHaveLength(count);
  });

  test('counts the unread lines of each side, without own lines and steps [CHAT-013]', async () => {
    await chatOf(owner, id);
    await chatOf(taker, id);
    for (const text of ['are you there?', 'hello?']) await done(say(taker, id, { text }));
    expect(await dealOf(owner, id)).toMatchObject({ unread: 2 });
    expect(await dealOf(taker, id)).toMatchObject({ unread: 0 });
    const { message } = await done(get('/api/c2c_seller_deal', { is_sure: 3 }, { token: owner }));
    expect(message.data.find((deal) => deal.id === id)).toMatchObject({ unread: 2 });
    await chatOf(owner, id);
    expect(await dealOf(owner, id)).toMatchObject({ unread: 0 });
  });

  test('is pushed only to both sides [CHAT-014]', async () => {
    const heard = new Map<string, ChatPush[]>();
    const sockets = await Promise.all(
      [owner, taker, third].map(async (token) => {
        const socket = await connect(token);
        heard.set(token, []);
        socket.on('c2c_chat', (push: ChatPush) => heard.get(token)!.push(push));
        const { message } = await done(get('/api/user/info', {}, { token }));
        await socket.emitWithAck('login', message.id);
        return socket;
      }),
    );
    const { message } = await done(say(owner, id, { text: HTML }));
    const line = message.id;
    for (const token of [owner, taker])
      await eventuallySatisfied(
        () => heard.get(token)!,
        (pushes) => pushes.some((push) => push.deal_id === id && push.line.id === line && push.line.text === HTML),
      );
    expect(heard.get(third)).toEqual([]);
    for (const socket of sockets) socket.disconnect();
  });

  test('takes so many lines of a person in a minute [CHAT-015]', async () => {
    const undo = await setting('c2c.chat_per_minute', '1');
    try {
      // A slow exchange fills the bucket again while it is emptied: until one is refused, for as long as it takes.
      const answers: Awaited<ReturnType<typeof say>>[] = [];
      while (!answers.some(({ status }) => status === 429) && answers.length < 1_000)
        answers.push(
          ...(await Promise.all(Array.from({ length: 130 }, (_, at) => say(taker, id, { text: `line ${at}` })))),
        );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.body).toMatchObject({ key: 'common.tooMany', params: { seconds: expect.any(Number) } });
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      // The other side is not kept from writing.
      expect(await keyOf(say(owner, id, { text: 'so many words' }))).toBeUndefined();
    } finally {
      await undo();
    }
  });
});

describe('the transcript [APPEAL-013]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-transcript-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const program = fileURLToPath(new URL('../../../../libs/verify/bin/bourse-verify-transcript.mjs', import.meta.url));

  test('is the whole story with its pictures, harmless, signed, and without account numbers', async () => {
    await done(appeal(taker, id, { evidence: await upload(taker, 'evidence') }));
    await done(evidence(owner, id, { text: HTML }));
    await done(decide((await appealOf(taker, id)).id, 'buyer'));
    const { text, headers, status } = await get('/api/c2c/transcript', { id }, { token: taker });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; img-src data:.*sandbox$/);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="deal-${id}.html"`);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('/api/upload/');
    expect(text.match(/<img alt="" src="data:image\//g)?.length).toBeGreaterThanOrEqual(2);
    const deal = await dealOf(taker, id);
    expect(text).toContain(deal.hes_realname);
    expect(text).not.toContain(deal.sell_cash_info?.bank_account ?? 'nobody has paid anywhere');
    const file = join(folder, 'deal.html');
    writeFileSync(file, text);
    const { message } = await done(get('/api/c2c/transcript_keys'));
    const { key } = message[0]!;
    const checked = (name: string): number | null =>
      spawnSync(process.execPath, [program, name, '--key', key], { encoding: 'utf8' }).status;
    expect(checked(file)).toBe(0);
    writeFileSync(file, text.replace('10 USDT', '11 USDT'));
    expect(checked(file)).toBe(1);

    // Support keeps the same document; people do not get it this way.
    const [forDesk, support] = ['/api/admin/c2c_orders/transcript', await operator('support1')];
    const kept = await get(forDesk, { id }, { token: support });
    expect(kept.status).toBe(200);
    expect(kept.headers.get('content-disposition')).toBe(`attachment; filename="deal-${id}.html"`);
    expect(kept.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'));
    writeFileSync(file, kept.text);
    expect(checked(file)).toBe(0);
    expect((await get(forDesk, { id }, { token: taker })).status).toBe(403);
    const unknown = await get(forDesk, { id: '1' }, { token: support });
    expect(unknown.body).toMatchObject({ key: 'common.notFound', field: 'id' });
  });

  test('is in the language of the reader', async () => {
    const { text } = await get('/api/c2c/transcript', { id }, { token: owner, headers: { lang: 'ar' } });
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).not.toMatch(/c2c\.(line|transcript)\./);
  });
});

test('a week after the end no one can write; both can read [CHAT-016]', async () => {
  const mine = await sellAd(owner);
  const deal = await taken(third, mine);
  await done(say(third, deal, { text: 'I pay at once' }));
  await advance(DAY);
  expect(await dealOf(third, deal)).toMatchObject({ is_sure: 2 });
  await advance(7 * DAY - 60);
  await done(say(third, deal, { text: 'sorry' }));
  await advance(60);
  expect(await keyOf(say(third, deal, { text: 'one more thing' }))).toBe('c2c.state');
  expect(texts(await chatOf(owner, deal))).toContain('sorry');
  await offShelf(owner, mine);
});
