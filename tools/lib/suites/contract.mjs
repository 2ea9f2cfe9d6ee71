// Contract tests: files that share an exchange run side by side, and those that change it for everybody run by
// themselves (`.alone.`).
import { sideBySide } from './side-by-side.mjs';
import { nothing, sum } from './result.mjs';

/** Files that share one exchange, at a time: more keep waiting for the one process of the exchange. */
const SHARING_MAX = 3;

const isAlone = (file) => /\.alone\./.test(file);

/**
 * Runs contract files on one exchange: those that share it side by side, then each of the others by itself.
 * `jest(files, name, env, more)` runs files and counts them; `more.workers` says how many at a time.
 */
export async function runContract(files, name, env, { jest, more = {} }) {
  const shared = files.filter((file) => !isAlone(file));
  const alone = files.filter(isAlone);
  const first = await jest(shared, name, env, { ...more, workers: SHARING_MAX });
  return sum(first, await jest(alone, `${name}-alone`, env, { ...more, workers: 1 }));
}

/**
 * Runs contract files on several exchanges at once, `withExchange(name, run)` each: one for those that share it, and
 * `lanes` for those that run by themselves, which are most of what a quiet market proves: they move its clock. A file
 * leaves nothing behind that another one meets, so any of them may follow any other.
 */
export async function runContractInLanes(files, name, { jest, withExchange, lanes = 2, more = {} }) {
  const on = (place, found, workers) =>
    found.length === 0
      ? Promise.resolve(nothing())
      : withExchange(place, (env) => jest(found, place, env, { ...more, workers }));
  const shared = files.filter((file) => !isAlone(file));
  const runs = spread(files.filter(isAlone), lanes).map(
    (found, lane) => () => on(`${name}-alone-${lane + 1}`, found, 1),
  );
  const results = await sideBySide([...runs, () => on(name, shared, SHARING_MAX)]);
  return results.reduce(sum);
}

/** Files that take minutes on an idle machine; every other one takes some seconds. */
const LONG = /\/(?:micro|savings|team|appeals|c2c|lever)\./;

/** Deals files out to lanes, the long ones first, each to the lane that has least. */
export function spread(files, lanes) {
  const weightOf = (file) => (LONG.test(file) ? 3 : 1);
  const dealt = Array.from({ length: lanes }, () => ({ weight: 0, files: [] }));
  for (const file of [...files].sort((one, other) => weightOf(other) - weightOf(one) || one.localeCompare(other))) {
    const least = dealt.reduce((found, lane) => (lane.weight < found.weight ? lane : found));
    least.files.push(file);
    least.weight += weightOf(file);
  }
  return dealt.map((lane) => lane.files);
}
