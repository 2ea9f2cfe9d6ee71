import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Complaint } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { call, get, post, type Fields } from './client.js';
import { advance } from './dev-clock.js';
import { createCertified, done, createNewcomer, operator, upload, type Person } from './people.js';
import { openWork } from './work.js';

// Runs alone: days pass by moving the clock of the install.
jest.setTimeout(testTimeoutMs(50_000));

const REASON = 'answered by the handbook';
const DAY = 86_400;
let person: Person;
let other: Person;
beforeAll(async () => {
  [person, other] = await Promise.all([createNewcomer(), createNewcomer()]);
});

const GOOD = { kind: 'deposit', subject: 'Where is it', text: 'I sent 100 USDT. Nothing came.', about: '4711' };
const add = async (fields: Fields = {}, who = person) =>
  (await post('/api/complaint/add', { ...GOOD, ...fields }, { token: who.token })).body;
async function added(fields: Fields = {}, who = person): Promise<number> {
  const answer = await add(fields, who);
  expect(answer).toMatchObject({ type: 'ok', key: 'complaint.sent' });
  return answer.id;
}
const detail = async (id: number, who = person) =>
  (await get('/api/complaint/detail', { id }, { token: who.token })).body;
const read = async (id: number): Promise<Complaint> => (await detail(id)).message;
const act = async (what: 'reply' | 'close', fields: Fields, who = person) =>
  (await post(`/api/complaint/${what}`, fields, { token: who.token })).body;
const desk = async (what: 'answer' | 'close', fields: Fields) =>
  (await post(`/api/admin/complaints/${what}`, { reason: REASON, ...fields }, { token: await operator('support1') }))
    .body;

describe('a complaint', () => {
  test('has a thread of both sides, an unread answer, and lines in the audit log [COMPLAINT-006]', async () => {
    const id = await added();
    const { body } = await get('/api/complaint/list', {}, { token: person.token });
    expect(body.message.data[0]).toMatchObject({
      ...{ id, kind: 'deposit', subject: 'Where is it', about: '4711', state: 'open', unread: 0 },
    });
    expect(await desk('answer', { id, text: 'It has 2 of 6 confirmations.' })).toMatchObject({
      key: 'admin.complaintAnswered',
    });
    const listed = async (): Promise<Complaint | undefined> =>
      (await get('/api/complaint/list', {}, { token: person.token })).body.message.data[0];
    expect(await listed()).toMatchObject({ state: 'answered', unread: 1 });
    expect(await read(id)).toMatchObject({
      state: 'answered',
      messages: [
        { from: 'me', text: GOOD.text, images: [] },
        { from: 'support', text: 'It has 2 of 6 confirmations.' },
      ],
    });
    expect(await listed()).toMatchObject({ unread: 0 });
    expect(await act('reply', { id, text: 'Thank you' })).toMatchObject({ key: 'complaint.replied' });
    expect(await read(id)).toMatchObject({ state: 'open' });
    const token = await operator('finance1');
    const lines = await eventuallySatisfied(
      async () => (await get('/api/admin/audit', { target: `complaint ${id}` }, { token })).body.message.data,
      (found) => found.length > 0,
    );
    expect(lines).toMatchObject([{ action: 'complaints.answer', reason: REASON }]);
    expect(await act('close', { id })).toMatchObject({ key: 'complaint.closed' });
  });

  test('is refused by field in the order of the contract [COMPLAINT-007]', async () => {
    const fault = async (fields: Fields): Promise<unknown> => {
      const { key, field } = await add(fields);
      return [key, field];
    };
    expect(await fault({ kind: 'weather', subject: '' })).toEqual(['common.fieldInvalid', 'kind']);
    expect(await fault({ subject: '', text: '' })).toEqual(['complaint.subjectRequired', 'subject']);
    expect(await fault({ subject: '   ' })).toEqual(['complaint.subjectRequired', 'subject']);
    expect(await fault({ subject: 'x'.repeat(101) })).toEqual(['common.fieldInvalid', 'subject']);
    expect(await fault({ text: '' })).toEqual(['complaint.textRequired', 'text']);
    expect(await fault({ text: 'x'.repeat(2_001) })).toEqual(['common.fieldInvalid', 'text']);
    expect(await fault({ images: '/api/upload/none.png' })).toEqual(['upload.required', 'images']);
    expect(await fault({ images: 'a,b,c,d,e' })).toEqual(['common.fieldInvalid', 'images']);
    expect((await post('/api/complaint/add', GOOD)).body.type).toBe('999');
  });

  test('shows its own pictures to both sides, and accepts no other user’s [COMPLAINT-008]', async () => {
    const [own, stolen, chat] = [
      await upload(person.token, 'evidence'),
      await upload(other.token, 'evidence'),
      await upload(person.token, 'chat'),
    ];
    expect(await add({ images: stolen })).toMatchObject({ key: 'upload.required', field: 'images' });
    expect(await add({ images: chat })).toMatchObject({ key: 'upload.required' });
    const id = await added({ images: own });
    const [shown] = (await read(id)).messages?.[0]?.images ?? [];
    expect((await get(shown ?? '')).status).toBe(200);
    const token = await operator('support1');
    const file = (await get(`/api/admin/complaints/${id}`, {}, { token })).body.message;
    expect((await get(file.messages?.[0]?.images[0] ?? '')).status).toBe(200);
    expect((await get((shown ?? '').split('?')[0] ?? '')).status).toBe(404);
    expect(await act('reply', { id, text: 'one more', images: stolen })).toMatchObject({ key: 'upload.required' });
    await act('close', { id });
  });

  test('of another does not exist [COMPLAINT-005]', async () => {
    const id = await added();
    for (const answer of [
      await detail(id, other),
      await act('reply', { id, text: 'x' }, other),
      await act('close', { id }, other),
      await detail(999_999_999_999),
    ])
      expect(answer).toMatchObject({ type: 'error', key: 'common.notFound' });
    const { body } = await get('/api/complaint/list', {}, { token: other.token });
    expect(body.message.total).toBe(0);
    await act('close', { id });
  });

  test('opens again by a reply within 14 days, and not later [COMPLAINT-001]', async () => {
    const id = await added();
    await act('close', { id });
    expect(await act('close', { id })).toMatchObject({ key: 'complaint.state' });
    expect(await desk('answer', { id, text: 'late' })).toMatchObject({ key: 'complaint.state' });
    await advance(13 * DAY);
    expect(await act('reply', { id, text: 'It came back' })).toMatchObject({ type: 'ok' });
    expect(await read(id)).toMatchObject({ state: 'open' });
    expect(await desk('close', { id })).toMatchObject({ key: 'admin.complaintClosed' });
    await advance(14 * DAY + 1);
    expect(await act('reply', { id, text: 'And again' })).toMatchObject({ key: 'complaint.state' });
  });

  test('is one of five open ones at most, of many begun at once too [COMPLAINT-004]', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({}, other)));
    const keys = answers.map(({ key }) => key).sort();
    expect(keys.filter((key) => key === 'complaint.sent')).toHaveLength(5);
    expect(keys.filter((key) => key === 'complaint.tooMany')).toHaveLength(3);
    expect(answers.find(({ key }) => key === 'complaint.tooMany')).toMatchObject({ params: { max: 5 } });
    const first = answers.find(({ key }) => key === 'complaint.sent')?.['id'] as number;
    await act('close', { id: first }, other);
    await added({}, other);
    expect(await act('reply', { id: first, text: 'again' }, other)).toMatchObject({ key: 'complaint.tooMany' });
  });

  test('waits for support: list, dashboard, roles [COMPLAINT-009]', async () => {
    const token = await operator('support1');
    const { body } = await get('/api/admin/complaints', { state: 'open' }, { token });
    const { data } = body.message;
    expect(data.length).toBeGreaterThanOrEqual(5);
    expect(data.every(({ state }) => state === 'open')).toBe(true);
    expect((await openWork(token))['complaints']).toBeGreaterThanOrEqual(5);
    expect((await get('/api/admin/complaints', {}, { token: person.token })).status).toBe(403);
    expect((await call('POST', '/api/admin/complaints/answer', { id: 1, reason: REASON }, { token })).body.key).toBe(
      'complaint.textRequired',
    );
    expect((await desk('answer', { id: 1, text: 'x' })).key).toBe('common.notFound');
    expect((await desk('answer', { id: data[0]?.id ?? 0, text: 'x', reason: '' })).key).toBe('admin.reason');
  });

  test('are listed of one person alone where support asks for one, in one state or all [COMPLAINT-011]', async () => {
    const token = await operator('support1');
    const one = await createCertified();
    const ids = [await added({}, one), await added({}, one)];
    await desk('answer', { id: ids[0] ?? 0, text: 'seen' });
    const listed = async (fields: Record<string, string | number>): Promise<readonly number[]> => {
      const { body } = await get('/api/admin/complaints', { user_id: one.id, ...fields }, { token });
      const { data, total } = body.message;
      expect(data.every(({ user_id: owner }) => owner === one.id)).toBe(true);
      expect(total).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect([...(await listed({}))].sort()).toEqual([...ids].sort());
    expect(await listed({ state: 'open' })).toEqual([ids[1]]);
    expect(await listed({ user_id: 1 })).toEqual([]);
  });

  test('a frozen account reads its own and writes none (contract 6.17) [COMPLAINT-010]', async () => {
    const frozen = await createCertified();
    const id = await added({}, frozen);
    const fields = { user_id: frozen.id, scope: 'all', reason: REASON };
    await done(post('/api/admin/users/freeze', fields, { token: await operator('support1') }));
    expect((await detail(id, frozen)).type).toBe('ok');
    for (const answer of [await add({}, frozen), await act('reply', { id, text: 'x' }, frozen)])
      expect(answer.key).toBe('auth.frozen');
  });
});
