import { expect, test } from '@jest/globals';
import { sideBySide } from './side-by-side.mjs';

/** Something that is under way until it is told how it ends. */
function pending<T>() {
  let end!: (value: T) => void;
  let fail!: (error: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { promise, end, fail };
}
/** Lets everything go on that waits for nothing else. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all begin at once, and give their results in the order in which they were given', async () => {
  const [one, other] = [pending<number>(), pending<number>()];
  const begun: string[] = [];
  const both = sideBySide([
    () => (begun.push('one'), one.promise),
    () => (begun.push('other'), other.promise),
  ]) as Promise<number[]>;
  expect(begun).toEqual(['one', 'other']);
  other.end(2);
  one.end(1);
  expect(await both).toEqual([1, 2]);
});

test('a failure is reported when the others have ended, and not before', async () => {
  const [one, other] = [pending<number>(), pending<number>()];
  let told = '';
  const both = sideBySide([() => one.promise, () => other.promise]).catch((error: Error) => {
    told = error.message;
  });
  one.fail(new Error('no start'));
  await settle();
  expect(told).toBe('');
  other.end(2);
  await both;
  expect(told).toBe('no start');
});
