import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { HttpPointsProgram } from '../src/points/program/http-points-program.js';
import { ProgramUnavailable } from '../src/points/application/points-ports.js';
import { ThirdParty, type Mood } from './third-party.js';

const RETRY_POLICY = { tryMs: testTimeoutMs(200), tries: 3, pauseMs: 1, circuit: { failures: 4, openMs: 60_000 } };
const CLAIM = { reference: 'r-1', userName: 'jcdemo', password: 'jcdemo1' };
const BOUND = { kind: 'bound', account: 'jcdemo', points: 100_000_000_000n, free: 50_000_000_000n };

let party: ThirdParty;
let url: string;
let program: HttpPointsProgram;
beforeEach(async () => {
  party = new ThirdParty('a-secret-that-both-know');
  url = await party.start();
  program = new HttpPointsProgram(url, party.secret, () => 1_767_225_600_000, RETRY_POLICY);
});
afterEach(() => {
  jest.restoreAllMocks();
  return party.stop();
});

test('it binds, signed, and distinguishes wrong passwords and taken accounts [POINTS-050]', async () => {
  expect(await program.bind(CLAIM)).toEqual(BOUND);
  expect(await program.bind(CLAIM)).toEqual(BOUND);
  expect(await program.bind({ ...CLAIM, reference: 'r-2' })).toEqual({ kind: 'taken' });
  expect(await program.bind({ ...CLAIM, password: 'x' })).toEqual({ kind: 'wrong' });
  expect(await program.bind({ ...CLAIM, userName: 'nobody' })).toEqual({ kind: 'wrong' });
  expect(party.seen[0]).toBe('PUT /points/bindings/r-1');
  expect(party.wrongSignatures).toEqual([]);
});

test.each<Mood>(['silent', 'cut', 'error', 'nonsense', 'huge', 'redirect', 'more-free', 'too-fine'])(
  'one answer that is %s is asked for again, under the same reference [POINTS-051]',
  async (mood) => {
    party.moods = [mood, mood];
    expect(await program.bind(CLAIM)).toEqual(BOUND);
    expect(party.seen).toEqual(Array.from({ length: 3 }, () => 'PUT /points/bindings/r-1'));
    expect([...party.references]).toEqual([['r-1', 'jcdemo']]);
  },
);

test('three of them are no answer: the effect is unknown, and a release undoes it [POINTS-051]', async () => {
  party.moods = ['cut', 'cut', 'cut'];
  await expect(program.bind(CLAIM)).rejects.toThrow(ProgramUnavailable);
  expect(party.references.get('r-1')).toBe('jcdemo');
  await program.release('r-1');
  await program.release('r-1');
  await expect(program.bind(CLAIM)).rejects.toThrow('it answered 410');
  expect(await program.bind({ ...CLAIM, reference: 'r-2' })).toEqual(BOUND);
});

test('after four failures a third party is not called for a while; no wrong password counts [POINTS-052]', async () => {
  for (let times = 0; times < 6; times++) await program.bind({ ...CLAIM, password: 'x' });
  party.moods = Array.from({ length: 100 }, () => 'error');
  for (let times = 0; times < 4; times++) await expect(program.bind(CLAIM)).rejects.toThrow('it answered 503');
  const asked = party.seen.length;
  await expect(program.bind(CLAIM)).rejects.toThrow('is not called for a while');
  await expect(program.release('r-1')).rejects.toThrow(ProgramUnavailable);
  expect(party.seen).toHaveLength(asked);
});

test('after a while one call tries, which closes the circuit or opens it again [POINTS-052]', async () => {
  const quick = { ...RETRY_POLICY, tries: 1, circuit: { failures: 2, openMs: 40 } };
  const left = new HttpPointsProgram(url, party.secret, () => 1_767_225_600_000, quick);
  const ask = (): Promise<string> =>
    left.bind(CLAIM).then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    );
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const passOpenTime = (): void => {
    now += quick.circuit.openMs;
  };
  const alone = expect.stringContaining('is not called for a while');
  party.moods = ['error', 'error', 'error'];
  expect([await ask(), await ask(), await ask()]).toEqual(['it answered 503', 'it answered 503', alone]);
  passOpenTime();
  expect(await Promise.all([ask(), ask()])).toEqual(['it answered 503', alone]);
  expect([await ask(), party.seen.length]).toEqual([alone, 3]);
  passOpenTime();
  expect([await ask(), await ask()]).toEqual(['bound', 'bound']);
});

test('messages hold neither password nor secret [POINTS-053]', async () => {
  await party.stop();
  const error = (await program.bind(CLAIM).catch((thrown: unknown) => thrown)) as Error;
  expect(error).toBeInstanceOf(ProgramUnavailable);
  expect(`${error.name} ${error.message} ${error.stack}`).not.toMatch(/jcdemo1|a-secret/);
});
