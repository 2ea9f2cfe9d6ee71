import { expect, test } from '@jest/globals';
import { SerialExecutor } from '../src/appeals/application/serial-executor.js';
import { toKey } from './shop-world.js';

test('work runs one after another in its order, and excess work is refused [HARD-442]', async () => {
  const line = new SerialExecutor(3);
  const steps: string[] = [];
  const work =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = Promise.allSettled([line.run(work('a')), line.run(work('b', true)), line.run(work('c'))]);
  expect(await toKey(line.run(work('d')))).toBe('common.unavailable');
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(await line.run(work('e'))).toBe('e');
});
