import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { authAsks, serviceAsks, type QuestionOf } from '@bourse/messaging';
import { Metrics, Refused, timeText, type Caller } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { SentApprovalFigures } from '../../src/operators/metrics/sent-approvals.js';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(60_000));

type Attempt = QuestionOf<typeof serviceAsks.approvalCarryOut>['approval'];
const REASON = { reason: 'a test of approvals' };
const AT_ONCE_MS = 6_000;

let auth: AuthProcess;
const people = peopleOf(() => auth);
/** The attempts that the service was asked for, and what it answers. */
let attempts: Attempt[] = [];
let answer: () => Promise<null> = () => Promise.resolve(null);
/** The same of a guarded change. */
let changes: number[] = [];
let change: () => Promise<{ done: boolean }> = () => Promise.resolve({ done: true });
const lost = (): Promise<never> => Promise.reject(new Error('the answer was lost'));

beforeAll(async () => {
  auth = await startAuth();
  auth.asks.handle(serviceAsks.approvalStanding('notices'), () => ({ sent: 0 }));
  auth.asks.handle(serviceAsks.approvalCarryOut('notices'), ({ approval }) => {
    attempts.push(approval);
    return answer();
  });
  auth.asks.handle(serviceAsks.guardedStanding('points'), () => ({ rate: '1' }));
  auth.asks.handle(serviceAsks.guardedCarryOut('points'), ({ approvalId }) => {
    changes.push(approvalId);
    return change();
  });
});
beforeEach(() => {
  [attempts, changes] = [[], []];
  [answer, change] = [() => Promise.resolve(null), () => Promise.resolve({ done: true })];
});
afterAll(async () => {
  await auth.end();
});

async function operator(username: string): Promise<Caller> {
  const { message } = await auth.post('/api/admin/login', { username, password: 'Harbor-2468' });
  return (await people.callerOf(message)) as Caller;
}
const decide = async (username: string, act: 'approve' | 'reject', id: number): Promise<Answered> =>
  auth.post(`/api/admin/approvals/${act}`, { id: String(id), ...REASON }, { caller: await operator(username) });
async function listed(id: number): Promise<Record<string, unknown> | undefined> {
  const { message } = await auth.get('/api/admin/approvals', { caller: await operator('operator') });
  return (message as { data: Record<string, unknown>[] }).data.find((row) => row['id'] === id);
}
async function requested(): Promise<number> {
  const by = await operator('support1');
  const request = { operator: by, call: 'notices/send', target: 'all', after: { sent: 1 }, payload: {}, ...REASON };
  return (await auth.asks.ask(authAsks.approval, request)).id;
}
async function guarded(): Promise<number> {
  const by = await operator('operator');
  const payload = { service: 'points', kind: 'setting', key: 'rate', value: '2' } as const;
  const request = { operator: by, call: 'settings/save', target: 'rate', after: { rate: '2' }, payload, ...REASON };
  return (await auth.asks.ask(authAsks.guardedChange, request)).id;
}
/** The metric of the sent call that has waited longest, s. */
const unanswered = async (): Promise<number> => {
  const metrics = new Metrics();
  new SentApprovalFigures(auth.get$(AuthDatabase), auth.clock, metrics);
  const text = await metrics.registry.metrics();
  return Number(/^bourse_approval_unanswered_seconds (\S+)$/m.exec(text)?.[1]);
};
/** In how many seconds a sent call is asked for again. */
/** Whole milliseconds: the clock of the exchange has no parts of them. */
const msUntilRepeat = async (id: number): Promise<number> => {
  const [timer] = await auth.databases.query<{ due: string }>(
    `select (extract(epoch from due_at) * 1000)::bigint as due from auth.timer
      where kind = 'approval.inForce' and id = $1`,
    [String(id)],
  );
  return Number(timer?.due) - auth.clock.now();
};
const pass = (ms: number): void => auth.clock.setOffset(auth.clock.now() - auth.clock.real() + ms);
const trailOf = async (id: number): Promise<string[]> =>
  (
    await auth.databases.query<{ action: string }>(
      `select line->'body'->>'action' as action
         from auth.outbox, jsonb_array_elements(payload::jsonb) line
         where topic = 'operator.actions' and (line->'body'->>'after')::jsonb->>'approval_id' = $1 order by number`,
      [String(id)],
    )
  ).map(({ action }) => action);

test('an approved call without an answer is not rejected, and is repeated until there is one [AUTH-224]', async () => {
  const id = await requested();
  answer = lost;
  expect((await decide('operator', 'approve', id)).type).not.toBe('ok');
  expect(await listed(id)).toMatchObject({ state: 'approved', held: 1, sent: 1, decided_by: 'operator' });
  for (const username of ['support1', 'operator', 'operator2'])
    expect(await decide(username, 'reject', id)).toMatchObject({
      key: 'admin.decided',
      params: { state: 'approved' },
    });
  // Neither does it end by itself.
  pass(8 * 24 * 3_600_000);
  await eventually(async () => attempts.length > 1);
  expect(await listed(id)).toMatchObject({ state: 'approved', sent: 1 });
  answer = () => Promise.resolve(null);
  // Its timer may be there first.
  expect(['admin.approvalApproved', 'admin.decided']).toContain((await decide('operator', 'approve', id)).key);
  expect(await listed(id)).toMatchObject({ state: 'approved', held: 0, sent: 0, decided_by: 'operator' });
  expect(new Set(attempts.map((attempt) => JSON.stringify(attempt))).size).toBe(1);
  expect(attempts[0]).toEqual({ id, sentAt: expect.any(Number) });
  expect(await trailOf(id)).toEqual(['notices.send.request', 'notices.send.approve']);
  expect(await decide('operator2', 'approve', id)).toMatchObject({ key: 'admin.decided' });
});

test('an approved call without an answer is carried out by itself [AUTH-224]', async () => {
  const id = await requested();
  answer = lost;
  expect((await decide('operator', 'approve', id)).type).not.toBe('ok');
  answer = () => Promise.resolve(null);
  pass(AT_ONCE_MS);
  await eventually(async () => (await listed(id))?.['sent'] === 0);
  expect(await listed(id)).toMatchObject({ state: 'approved', held: 0, decided_by: 'operator' });
  expect(await trailOf(id)).toEqual(['notices.send.request', 'notices.send.approve']);
});

test('an approved call that its service refuses waits, and is then rejected or approved again [AUTH-225]', async () => {
  const id = await requested();
  answer = () => Promise.reject(new Refused('common.processing', {}, { type: 'pending', status: 202 }));
  await decide('operator', 'approve', id);
  expect(await listed(id)).toMatchObject({ state: 'approved', sent: 1 });
  answer = () => Promise.reject(new Refused('common.unavailable'));
  expect((await decide('operator2', 'approve', id)).key).toBe('common.unavailable');
  expect(await listed(id)).toMatchObject({ state: 'waiting', held: 0, sent: 0, decided_by: '' });
  const again = await requested();
  expect((await decide('operator', 'approve', again)).key).toBe('common.unavailable');
  expect((await decide('operator', 'reject', id)).key).toBe('admin.approvalRejected');
  answer = () => Promise.resolve(null);
  expect((await decide('operator2', 'approve', again)).key).toBe('admin.approvalApproved');
  const [first, second] = attempts.filter((attempt) => attempt?.id === again);
  expect(second?.sentAt).not.toBe(first?.sentAt);
});

test('a sent approval whose service fails is repeated ever more rarely, and shows how often [AUTH-230]', async () => {
  const id = await requested();
  answer = lost;
  expect(await unanswered()).toBe(0);
  await decide('operator', 'approve', id);
  const since = timeText(attempts[0]?.sentAt ?? null);
  const waits = [];
  for (let tries = 1; tries < 7; tries++) {
    expect(await listed(id)).toMatchObject({ sent: 1, sent_time: since, sent_tries: tries });
    waits.push(await msUntilRepeat(id));
    pass((waits.at(-1) ?? 0) + 1);
    await eventually(() => Promise.resolve(attempts.length > tries));
    await eventually(async () => (await listed(id))?.['sent_tries'] === tries + 1);
  }
  for (const [index, least] of [4, 9, 19, 39, 58, 58].entries()) {
    expect(waits[index]).toBeGreaterThan(least * 1_000);
    expect(waits[index]).toBeLessThanOrEqual(([5, 10, 20, 40, 60, 60][index] ?? 0) * 1_000);
  }
  // One of another operator counts, too.
  await decide('operator', 'approve', id);
  expect(await listed(id)).toMatchObject({ sent: 1, sent_time: since, sent_tries: 8 });
  expect(await unanswered()).toBeGreaterThan(120);
  answer = () => Promise.resolve(null);
  await decide('operator', 'approve', id);
  expect(await listed(id)).toMatchObject({ state: 'approved', sent: 0, sent_time: '', sent_tries: 0 });
});

test('a decision takes the timer of its call before the call, as the timer itself does [AUTH-231]', async () => {
  const id = await guarded();
  await decide('operator2', 'approve', id);
  const timer = new pg.Client({ connectionString: auth.databases.url });
  await timer.connect();
  try {
    await timer.query('begin');
    await timer.query("select 1 from auth.timer where kind = 'approval.inForce' and id = $1 for update", [String(id)]);
    const rejecting = decide('operator', 'reject', id);
    await eventually(async () => {
      const [waiting] = await auth.databases.query<{ count: string }>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting?.count === '1';
    });
    // In the other order each would wait for the other here.
    await timer.query('select 1 from auth.approval where id = $1 for update nowait', [id]);
    await timer.query('rollback');
    expect((await rejecting).key).toBe('admin.approvalRejected');
  } finally {
    await timer.end();
  }
});

test('a guarded change that its owner was asked for is neither rejected nor dropped [AUTH-226]', async () => {
  const [timed, third] = [await guarded(), await guarded()];
  for (const id of [timed, third]) expect((await decide('operator2', 'approve', id)).key).toBe('admin.approvalHeld');
  change = lost;
  expect((await decide('operator3', 'approve', third)).type).not.toBe('ok');
  expect(await decide('operator', 'reject', third)).toMatchObject({ key: 'admin.decided' });
  pass(3_600_000 + AT_ONCE_MS);
  await eventually(async () => changes.includes(timed));
  expect(await decide('operator', 'reject', timed)).toMatchObject({ key: 'admin.decided' });
  await auth.databases.query(`update auth.operator set roles = '{support}' where username = 'operator2'`);
  change = () => Promise.resolve({ done: true });
  for (const id of [timed, third]) {
    await eventually(async () => {
      await auth.databases.query('update auth.timer set due_at = least(due_at, now())');
      return (await listed(id))?.['held'] === 0;
    });
    expect(await listed(id)).toMatchObject({ state: 'approved', sent: 0, decided_by: 'operator2' });
    expect((await trailOf(id)).at(-1)).toBe('settings.save.approve');
  }
});
