// How fast this machine is today: limits of tests are those of the product times this factor.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A fixed piece of work of one core: hashing, and many short-lived objects. */
const WORK = `
  const { createHash } = require('node:crypto');
  let text = 'calibration';
  for (let round = 0; round < 60000; round += 1) {
    text = createHash('sha256').update(text).digest('hex');
    JSON.parse(JSON.stringify({ text, list: [round, text, { round }] }));
  }
`;
/** Time of the work per core on the idle reference machine of docs/testing.md. */
const REFERENCE_MS = 450;
const FACTOR_MAX = 12;

/**
 * Times the fixed work on two cores at once (on one, where there is no second): a core that other work occupies shows
 * as much as a slow one. Gives 1 on the reference machine or a faster one.
 */
export async function measureTimeFactor() {
  const threads = Math.min(2, availableParallelism());
  const began = performance.now();
  await Promise.all(Array.from({ length: threads }, runWork));
  const measured = performance.now() - began;
  return Math.min(FACTOR_MAX, Math.max(1, Math.round((measured / REFERENCE_MS) * 10) / 10));
}

function runWork() {
  return new Promise((done, failed) => {
    const worker = new Worker(WORK, { eval: true });
    worker.once('exit', done);
    worker.once('error', failed);
  });
}
