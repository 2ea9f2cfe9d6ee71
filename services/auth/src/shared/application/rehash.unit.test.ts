import { expect, jest, test } from '@jest/globals';
import type { Clock } from '@bourse/platform';
import { Attempts } from './attempts.js';
import type { AuthDatabase } from './ports/database.js';
import type { Failures } from './ports/failures.js';
import type { Passwords } from './ports/passwords.js';
import type { People, Person } from './ports/people.js';
import { Rehash } from './rehash.js';

const DEADLOCK = Object.assign(new Error('deadlock detected'), { driverError: { code: '40P01' } });
const person = { id: 7, passwordHash: 'old', fundHash: 'old' } as Person;

const rehash = (transaction: () => Promise<never>): Rehash =>
  new Rehash(
    { transaction } as unknown as AuthDatabase,
    {} as People,
    {
      isOutdated: () => Promise.resolve(true),
      hashLogin: () => Promise.resolve('fresh'),
      hash: () => Promise.resolve('fresh'),
    } as unknown as Passwords,
  );

test('a new hash that the database undoes refuses no sign-in and no fund password [AUTH-240]', async () => {
  const undone = rehash(() => Promise.reject(DEADLOCK));
  await expect(undone.login(person, 'right')).resolves.toBeUndefined();
  await expect(undone.fund(person, 'right')).resolves.toBeUndefined();
  const broken = rehash(() => Promise.reject(new TypeError('a defect')));
  await expect(broken.login(person, 'right')).rejects.toThrow('a defect');
});

test('a right code that is used up stays right when its tries cannot be cleared [AUTH-240]', async () => {
  const transaction = jest
    .fn<(work: (tx: unknown) => unknown) => Promise<unknown>>()
    .mockImplementationOnce((work) => Promise.resolve(work({})))
    .mockRejectedValueOnce(DEADLOCK);
  const attempts = new Attempts(
    { transaction } as unknown as AuthDatabase,
    {
      lock: () => Promise.resolve(),
      login: () => Promise.resolve({ recent: 0, day: 0 }),
      add: () => Promise.resolve('try'),
      verifyCounted: (_database: unknown, _attempt: string, look: () => Promise<boolean>) => look(),
      clear: () => Promise.resolve(),
    } as unknown as Failures,
    { sessions: () => 1 } as unknown as Clock,
  );
  await expect(attempts.check('totp:7', () => Promise.resolve(true))).resolves.toEqual({ kind: 'right' });
  expect(transaction).toHaveBeenCalledTimes(2);
});
