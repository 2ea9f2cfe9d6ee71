import { expect, test } from '@jest/globals';
import { Turns } from './turns.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works that begin in their turn and end when the test says so. */
function controlledWorks(turns: Turns<string>) {
  const begun: string[] = [];
  const ends = new Map<string, { readonly succeed: () => void; readonly fail: (error: Error) => void }>();
  const run = (claim: string, name: string): Promise<void> =>
    turns.run(claim, () => {
      begun.push(name);
      return new Promise((resolve, reject) => ends.set(name, { succeed: resolve, fail: reject }));
    });
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)?.succeed(),
    fail: (name: string) => ends.get(name)?.fail(new Error(name)),
  };
}

test('works of one claim run one after the other, whatever their outcome; others run beside them', async () => {
  const turns = new Turns();
  const { begun, run, end, fail } = controlledWorks(turns);
  const first = run('a', 'a1').catch((error: Error) => error.message);
  const second = run('a', 'a2');
  void run('b', 'b1');
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  fail('a1');
  expect(await first).toBe('a1');
  await turn();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  expect(turns.claims()).toEqual(['a', 'b']);
  end('a2');
  end('b1');
  await second;
  await turn();
  expect([turns.claims(), turns.has('a')]).toEqual([[], false]);
});

test('a claim that overlaps all waits for the earlier works, and the later ones wait for it', async () => {
  const turns = new Turns<string>((earlier, later) => earlier === later || earlier === 'all' || later === 'all');
  const { begun, run, end } = controlledWorks(turns);
  void run('a', 'a1');
  void run('b', 'b1');
  void run('all', 'all');
  void run('c', 'c1');
  await turn();
  end('a1');
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  end('b1');
  await turn();
  expect(begun).toEqual(['a1', 'b1', 'all']);
  end('all');
  await turn();
  expect(begun).toEqual(['a1', 'b1', 'all', 'c1']);
});
