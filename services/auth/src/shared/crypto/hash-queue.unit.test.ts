import { describe, expect, test } from '@jest/globals';
import { HashQueue, PasswordsBusy } from './hash-queue.js';

/** A queue whose work ends on the test's command, and the order in which the work began. */
function watched(atOnce: number, max: number) {
  const queue = new HashQueue(atOnce, max);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const answers: Promise<string>[] = [];
  return {
    began,
    answers,
    ask(known: boolean, key: string, name = key): Promise<string> {
      const answer = queue
        .run({ known, key }, async () => {
          began.push(name);
          await new Promise<void>((end) => ends.push(end));
          return 'done';
        })
        .catch((error: unknown) => {
          if (error instanceof PasswordsBusy) return 'busy';
          throw error;
        });
      answers.push(answer);
      return answer;
    },
    /** Lets all work end, one after the other, until nothing waits. */
    async drain(): Promise<string[]> {
      for (let idle = 0; idle < 5; idle += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        const end = ends.shift();
        if (end) {
          idle = -1;
          end();
        }
      }
      return Promise.all(answers);
    },
  };
}

describe('the queue of passwords to be hashed [HARD-309]', () => {
  test('sixty strangers of one address block neither known people nor strangers of other addresses', async () => {
    const queue = watched(1, 20);
    for (let count = 0; count < 60; count += 1) void queue.ask(false, '203.0.113.1');
    const known = queue.ask(true, 'user 7');
    const elsewhere = queue.ask(false, '198.51.100.1');
    const all = await queue.drain();
    expect([await known, await elsewhere]).toEqual(['done', 'done']);
    expect(all.filter((answer) => answer === 'busy')).toHaveLength(60 - 20);
    // Neither waited for the crowd: the first was running, then each line has its turn.
    expect(queue.began.slice(0, 4)).toEqual(['203.0.113.1', 'user 7', '203.0.113.1', '198.51.100.1']);
  });

  test('three addresses fill the line of strangers, and the fourth still gets a place', async () => {
    const queue = watched(1, 20);
    for (let count = 0; count < 30; count += 1) void queue.ask(false, `203.0.113.${count % 3}`);
    const fourth = queue.ask(false, '198.51.100.4');
    await queue.drain();
    expect(await fourth).toBe('done');
    expect(queue.began.indexOf('198.51.100.4')).toBeLessThan(6);
  });

  test('a line of as many keys as places refuses the next one, and takes work again when empty', async () => {
    const queue = watched(1, 3);
    for (const key of ['a', 'b', 'c', 'd']) void queue.ask(false, key);
    expect(await queue.ask(false, 'e')).toBe('busy');
    expect(await queue.drain()).toEqual(['done', 'done', 'done', 'done', 'busy']);
    void queue.ask(false, 'f');
    expect((await queue.drain()).at(-1)).toBe('done');
  });

  test('the known do not starve strangers', async () => {
    const queue = watched(2, 20);
    for (let count = 0; count < 10; count += 1) void queue.ask(true, `user ${count}`, 'known');
    for (let count = 0; count < 10; count += 1) void queue.ask(false, `203.0.113.${count}`, 'stranger');
    expect(await queue.drain()).toEqual(Array.from({ length: 20 }, () => 'done'));
    expect(queue.began.slice(0, 8).filter((one) => one === 'stranger').length).toBeGreaterThanOrEqual(3);
  });

  test('work that fails hands its place on', async () => {
    const queue = new HashQueue(1, 2);
    const lane = { known: false, key: 'a' };
    const failed = queue.run(lane, () => Promise.reject(new Error('no memory')));
    const next = queue.run(lane, () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no memory');
    expect(await next).toBe('done');
  });
});
