import { describe, expect, test } from '@jest/globals';
import { Refused, Unavailable } from '@bourse/platform';
import {
  CommandKeys,
  CommandKeyStore,
  outcomeOf,
  outcomeOfError,
  type ClaimedKey,
  type KeyClaim,
} from './command-keys.js';

class KeptKeys extends CommandKeyStore {
  readonly rows = new Map<string, KeyClaim>();
  readonly shortened: string[] = [];
  readonly batches: number[] = [];
  async claim(claims: readonly KeyClaim[]): Promise<readonly ClaimedKey[]> {
    this.batches.push(claims.length);
    await Promise.resolve();
    return claims.map((claim) => {
      const known = this.rows.get(claim.keyId);
      if (!known) this.rows.set(claim.keyId, claim);
      return { ...(known ?? claim), isFirst: !known };
    });
  }
  async shorten(keyIds: readonly string[]): Promise<void> {
    this.shortened.push(...keyIds);
  }
  async free(keyId: string): Promise<void> {
    this.rows.delete(keyId);
  }
  async find(keyId: string): Promise<string | null> {
    return this.rows.get(keyId)?.commandId ?? null;
  }
  async sweep(): Promise<void> {
    this.rows.clear();
  }
}
const claim = (keyId: string, commandId = 'change', bodyHash = 'body'): KeyClaim => ({ keyId, commandId, bodyHash });

describe('one key, one command', () => {
  test('a repeat is the same command, another call or body is reused [HARD-417]', async () => {
    const store = new KeptKeys();
    const keys = new CommandKeys(store);
    expect((await keys.claim(claim('a'))).isFirst).toBe(true);
    expect((await keys.claim(claim('a'))).isFirst).toBe(false);
    for (const other of [claim('a', 'lever'), claim('a', 'change', 'another body')])
      await expect(keys.claim(other)).rejects.toMatchObject({ key: 'common.keyReused' });
    expect((await keys.claim(claim('b', 'lever'))).isFirst).toBe(true);
  });

  test('of two calls at once under one key one claims it, whatever its call [HARD-417]', async () => {
    const store = new KeptKeys();
    const keys = new CommandKeys(store);
    const tried = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => keys.claim(claim(at % 2 === 0 ? 'a' : `k${at}`, `call ${at}`))),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    // Claims that arrived during a statement were batched.
    expect(store.batches.length).toBeLessThan(12);
  });

  test('an unkept answer frees its key, a refusal keeps it for a while, an answer longer [HARD-417]', async () => {
    const store = new KeptKeys();
    const keys = new CommandKeys(store);
    const first = await keys.claim(claim('a'));
    const repeat = await keys.claim(claim('a'));
    await keys.settle(repeat, 'not kept');
    expect(await store.find('a')).toBe('change');
    await keys.settle(first, 'not kept');
    expect((await keys.claim(claim('a', 'lever'))).isFirst).toBe(true);
    await keys.settle(first, 'accepted');
    expect(store.shortened).toEqual([]);
    await keys.settle(first, 'refused');
    expect(store.shortened).toEqual(['a']);
  });

  test('a failing store refuses the call, and the next call queries it again [HARD-417]', async () => {
    const store = new KeptKeys();
    const keys = new CommandKeys(store);
    const real = store.claim.bind(store);
    store.claim = () => Promise.reject(new Unavailable('the database is away'));
    await expect(keys.claim(claim('a'))).rejects.toBeInstanceOf(Unavailable);
    store.claim = real;
    expect((await keys.claim(claim('a'))).isFirst).toBe(true);
  });

  test.each<[string, number, string]>([
    ['ok', 200, 'accepted'],
    ['error', 200, 'refused'],
    ['pending', 202, 'open'],
    ['error', 500, 'open'],
    ['error', 503, 'not kept'],
    ['error', 429, 'not kept'],
    ['996', 200, 'not kept'],
  ])('an answer of type %s and status %d: the key is %s [HARD-417]', (type, status, outcome) => {
    expect(outcomeOf(type, status)).toBe(outcome);
  });

  test('a refusal that was thrown is judged as its answer, a defect leaves it open [HARD-417]', () => {
    expect(outcomeOfError(new Refused('balance.insufficient'))).toBe('refused');
    expect(outcomeOfError(new Unavailable('away'))).toBe('not kept');
    expect(outcomeOfError(new Error('a defect'))).toBe('open');
  });

  test('a person and an operator of the same number have keys of their own [HARD-417]', () => {
    const keys = new CommandKeys(new KeptKeys());
    const ids = (['user', 'apikey', 'operator'] as const).map((kind) => keys.idOf({ kind, userId: 5 }, 'abcdefgh'));
    expect(new Set(ids).size).toBe(2);
  });
});
