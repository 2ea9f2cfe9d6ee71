import { expect, test } from '@jest/globals';
import { Refused } from '@bourse/platform';
import { FundGate, type FundVerdict } from './fund-gate.js';

/** An auth whose answer the test controls. */
function gate(verdict: FundVerdict): { gate: FundGate; asked: unknown[]; answer: () => void } {
  const asked: unknown[] = [];
  let answer: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const verify = async (userId: number, password: string): Promise<FundVerdict> => {
    asked.push({ userId, password });
    await told;
    return verdict;
  };
  return { gate: new FundGate(verify), asked, answer: () => answer() };
}
const keyOf = (call: Promise<void>): Promise<unknown> =>
  call.then(
    () => 'passed',
    (error: unknown) => (error instanceof Refused ? [error.key, error.options.field] : error),
  );

test('a call that has read another stored password gets a verdict of its own [AUTH-241]', async () => {
  const { gate: one, asked, answer } = gate({ ok: true });
  const calls = ['first', 'second', 'second'].map((stored) => one.demand(1, 'fund66', 'password', stored));
  answer();
  await Promise.all(calls);
  expect(asked).toHaveLength(2);
});

test('the same password at the same time is one try, another one is its own [WITHDRAW-007]', async () => {
  const { gate: one, asked, answer } = gate({ ok: true });
  const calls = [
    ...Array.from({ length: 20 }, () => one.demand(1, 'fund66')),
    one.demand(1, 'other6'),
    one.demand(2, 'fund66'),
  ];
  answer();
  await Promise.all(calls);
  expect(asked).toEqual([
    { userId: 1, password: 'fund66' },
    { userId: 1, password: 'other6' },
    { userId: 2, password: 'fund66' },
  ]);
  await one.demand(1, 'fund66');
  expect(asked).toHaveLength(4);
});

test('a missing one is 996 in its field, a wrong one gets the refusal of auth [WITHDRAW-007]', async () => {
  const { gate: one, answer } = gate({ ok: false, key: 'fund.wrong', params: { left: 2 } });
  answer();
  expect(await keyOf(one.demand(1, undefined, 'pay_password'))).toEqual(['fund.required', 'pay_password']);
  expect(await keyOf(one.demand(1, 'bad666'))).toEqual(['fund.wrong', 'password']);
});
