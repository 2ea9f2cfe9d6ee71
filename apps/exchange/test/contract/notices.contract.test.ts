import { describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { totpCode } from '@bourse/testing/totp';
import { post, type Body } from './client.js';
import { createCertified, codeFor, done, createNewcomer, operator, PASSWORD, type Person } from './people.js';

type Notice = MessageOf<'POST /api/notice/detail'>;
type Listed = Body & { message: { list: Notice[]; count: number; has_more: 0 | 1 }; unread: number };

async function listed(token: string, lang = 'en'): Promise<Listed> {
  const { status, body } = await post('/api/notice/list', {}, { token, headers: { lang } });
  expect({ status, type: body.type }).toEqual({ status: 200, type: 'ok' });
  return body;
}
/** Waits for a notice with this title, and returns it. */
const awaitNotice = (token: string, title: string, lang = 'en'): Promise<Notice> =>
  eventuallySatisfied(
    async () => (await listed(token, lang)).message.list.find((notice) => notice.title === title),
    (notice): notice is Notice => notice !== undefined,
  ) as Promise<Notice>;
const send = async (fields: Record<string, string | number>) =>
  (
    await post(
      '/api/admin/notices',
      { reason: 'a message of the tests', ...fields },
      { token: await operator('support1') },
    )
  ).body;

describe('personal notices [NOTICE-020]', () => {
  test('a message of support is read in red until it is opened, by its person alone', async () => {
    const [person, other] = await Promise.all([createNewcomer(), createNewcomer()]);
    const title = `For ${person.id}`;
    const sent = await send({ user_id: person.id, title, content: '<p onclick="a()">Hello</p><script>a()</script>' });
    expect(sent).toMatchObject({ type: 'ok', key: 'notice.sent' });
    const notice = await awaitNotice(person.token, title);
    expect(notice).toMatchObject({ content: '<p>Hello</p>', is_read: 0 });
    const before = (await listed(person.token)).unread;
    const stranger = await post('/api/notice/detail', { id: notice.id }, { token: other.token });
    expect(stranger.body).toMatchObject({ type: 'error', key: 'common.notFound' });
    const opened = await post('/api/notice/detail', { id: notice.id }, { token: person.token });
    expect(opened.body.message).toMatchObject({ id: notice.id, title, is_read: 1 });
    expect((await listed(person.token)).unread).toBe(before - 1);
  });

  test('a message in several languages is read in the own one, else in English [NOTICE-050]', async () => {
    const person = await createNewcomer();
    const texts = {
      zh: { title: `给 ${person.id}`, content: '<p>你好</p><script>a()</script>' },
      en: { title: `To ${person.id}`, content: '<p>Hello</p>' },
    };
    expect(await send({ user_id: person.id, texts: JSON.stringify(texts) })).toMatchObject({ type: 'ok' });
    expect(await awaitNotice(person.token, texts.zh.title, 'zh')).toMatchObject({ content: '<p>你好</p>' });
    expect(await awaitNotice(person.token, texts.en.title, 'en')).toMatchObject({ content: '<p>Hello</p>' });
    expect(await awaitNotice(person.token, texts.en.title, 'de')).toMatchObject({ content: '<p>Hello</p>' });
    const one = { title: `Nur ${person.id}`, content: '<p>Hallo</p>' };
    expect(await send({ user_id: person.id, texts: JSON.stringify({ de: one }) })).toMatchObject({ type: 'ok' });
    expect(await awaitNotice(person.token, one.title, 'fr')).toMatchObject({ content: '<p>Hallo</p>' });
  });

  test.each([
    ['no JSON', { texts: '{' }],
    ['no language', { texts: '{}' }],
    ['an unknown language', { texts: JSON.stringify({ xx: { title: 'a', content: 'b' } }) }],
    ['a title alone', { texts: JSON.stringify({ en: { title: 'a' } }) }],
    ['an empty text', { texts: JSON.stringify({ en: { title: 'a', content: ' ' } }) }],
    [
      'several without English',
      { texts: JSON.stringify({ zh: { title: 'a', content: 'b' }, de: { title: 'a', content: 'b' } }) },
    ],
  ])('texts with %s are refused, and no user is notified [NOTICE-050]', async (_, fields) => {
    const sent = await send({ user_id: 'all', ...fields });
    expect(sent).toMatchObject({ type: 'error', key: 'common.fieldInvalid', field: 'texts' });
  });

  test('words are given once: by themselves or in texts [NOTICE-050]', async () => {
    const texts = JSON.stringify({ en: { title: 'a', content: 'b' } });
    expect(await send({ user_id: 'all', texts, title: 'a', content: 'b' })).toMatchObject({ field: 'title' });
    expect(await send({ user_id: 'all', title: 'a' })).toMatchObject({ key: 'common.fieldRequired', field: 'content' });
    expect(await send({ user_id: 'all' })).toMatchObject({ key: 'common.fieldRequired', field: 'title' });
  });

  test('a message to all waits for a second operator, and reaches everybody registered then [NOTICE-060]', async () => {
    const person = await createNewcomer();
    const title = `To all ${person.id}`;
    const asked = await send({ user_id: 'all', title, content: '<p>Hello</p><script>a()</script>' });
    expect(asked).toMatchObject({ type: 'ok', key: 'admin.approvalWaiting', approval_id: expect.any(Number) });
    const approve = async (username: string) =>
      (
        await post(
          '/api/admin/approvals/approve',
          { id: asked['approval_id'] as number, reason: 'read by a second person' },
          { token: await operator(username) },
        )
      ).body;
    expect(await approve('support1')).toMatchObject({ type: 'error', key: 'admin.samePerson' });
    expect((await listed(person.token)).message.list).toEqual([]);
    expect(await approve('finance1')).toMatchObject({ type: 'ok' });
    expect(await awaitNotice(person.token, title)).toMatchObject({ content: '<p>Hello</p>', is_read: 0 });
    expect(await approve('finance2')).toMatchObject({ type: 'error', key: 'admin.decided' });
    expect((await listed(person.token)).message.list.filter((notice) => notice.title === title)).toHaveLength(1);
    const late = await createNewcomer();
    expect((await listed(late.token)).message.list.map((notice) => notice.title)).not.toContain(title);
  });

  test.each([
    [{ user_id: 'all', content: 'b' }, 'common.fieldRequired'],
    [{ user_id: 'all', title: 'a' }, 'common.fieldRequired'],
    [{ user_id: 'nobody', title: 'a', content: 'b' }, 'common.fieldInvalid'],
    [{ title: 'a', content: 'b' }, 'common.fieldRequired'],
    [{ user_id: 1_000_000_001, title: 'a', content: 'b' }, 'common.notFound'],
  ])('%j is refused with %s', async (fields, key) => {
    expect(await send(fields)).toMatchObject({ type: 'error', key });
  });

  test('without a session there is nothing to read', async () => {
    for (const path of ['/api/notice/list', '/api/notice/detail'])
      expect((await post(path, { id: 1 })).body).toMatchObject({ type: '999' });
  });
});

describe('changes of an account send notices [NOTICE-021]', () => {
  test('its identity was verified, in the language of the call', async () => {
    const person: Person = await createCertified();
    expect((await awaitNotice(person.token, 'Identity verified')).content).toContain('href="/account/authentication"');
    expect((await awaitNotice(person.token, 'Identität bestätigt', 'de')).is_read).toBe(0);
  });

  test('a sign-in from a device that it has not used, and not the first one', async () => {
    const person = await createNewcomer();
    expect((await listed(person.token)).message.list).toEqual([]);
    const headers = { 'x-device-id': `device-of-nobody-${person.id}`, 'user-agent': 'another browser' };
    const { body } = await post('/api/user/login', { user_string: person.account, password: PASSWORD }, { headers });
    expect(body.type).toBe('ok');
    expect((await awaitNotice(person.token, 'Sign-in from a new device')).content).toContain('IP address');
  });

  test('a new password, and an authenticator that is set up [NOTICE-021]', async () => {
    const person = await createNewcomer();
    const password = 'Harbor-1357';
    await done(post('/api/sms_mail', { user_string: person.account, scene: 'forget' }));
    const code = await codeFor(person.account, 'forget');
    await done(post('/api/user/forget', { account: person.account, password, repassword: password, code }));
    const signedIn = await done(post('/api/user/login', { user_string: person.account, password }));
    const token = signedIn.message;
    expect(await awaitNotice(token, 'Password changed')).toMatchObject({ is_read: 0 });
    const { secret } = (await done(post('/api/safe/totp_setup', {}, { token }))).message;
    await done(post('/api/safe/totp_enable', { totp_code: totpCode(secret) }, { token }));
    expect((await awaitNotice(token, 'Authenticator changed')).content).toContain('contact support at once');
  });
});
