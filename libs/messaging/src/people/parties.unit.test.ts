import { expect, test } from '@jest/globals';
import { authAsks, InProcessAsks } from '../index.js';
import { Parties, type PartyFacts } from './parties.js';

const factsOf = (userId: number): PartyFacts => ({
  userId,
  name: `u${userId}****@x.org`,
  accountNumber: `B${userId}`,
  realName: '',
  phone: '',
  lang: 'en',
  payment: null,
});

test('facts of many are read by the hundred, of each once, and unknown people are left out [AUTH-170]', async () => {
  const asks = new InProcessAsks();
  const asked: (readonly number[])[] = [];
  asks.handle(authAsks.parties, ({ userIds }) => {
    asked.push(userIds);
    return Promise.resolve(userIds.filter((id) => id !== 7).map(factsOf));
  });
  const ids = Array.from({ length: 120 }, (_, at) => at + 1);
  const facts = await new Parties(asks).facts([...ids, ...ids]);
  expect(asked.map(({ length }) => length)).toEqual([100, 20]);
  expect(facts.size).toBe(119);
  expect([facts.get(7), facts.get(120)]).toEqual([undefined, factsOf(120)]);
  expect((await new Parties(asks).facts([])).size).toBe(0);
  expect(asked).toHaveLength(2);
});

test('a change of role is sent with the changed flags alone, and the reason [AUTH-171]', async () => {
  const asks = new InProcessAsks();
  const asked: object[] = [];
  asks.handle(authAsks.role, (question) => {
    asked.push(question);
    return Promise.resolve(null);
  });
  await new Parties(asks).setRole(5, { isSeller: true }, 'a shop opened');
  expect(asked).toEqual([{ userId: 5, isSeller: true, reason: 'a shop opened' }]);
});
