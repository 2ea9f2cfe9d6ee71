// The seeds of property tests and of the simulator: as many each day, other ones every day, and each can be run again.

const DAY_MS = 86_400_000;

/** `TEST_DAY` runs the seeds of another day again. */
const today = () => Number(process.env.TEST_DAY ?? Math.floor(Date.now() / DAY_MS));

/**
 * Sets `TEST_DAY`, from which tests derive their seeds, and `TEST_FULL` where the full run asks for all of them. Gives
 * a line that says how to run the same seeds again.
 */
export function chooseSeeds(full) {
  const day = today();
  process.env.TEST_DAY = String(day);
  if (full) process.env.TEST_FULL = '1';
  return `Seeds of day ${day} (TEST_DAY=${day} runs them again)${full ? ', and the thousand of the full run' : ''}.`;
}
