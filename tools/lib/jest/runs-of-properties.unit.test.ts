import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countRuns, readSeed } from './runs-of-properties.mjs';

describe('cases of property tests [TEST-005]', () => {
  it('takes the seed of the day, and none outside of a run of the suites', () => {
    expect(readSeed({ TEST_DAY: '20784' })).toBe(20_784);
    expect(readSeed({})).toBeUndefined();
  });

  it('keeps the number of cases in npm test', () => {
    expect(countRuns(undefined, {})).toBe(100);
    expect(countRuns({ numRuns: 400 }, {})).toBe(400);
  });

  it('draws at least a thousand cases in the full run', () => {
    expect(countRuns(undefined, { TEST_FULL: '1' })).toBe(1_000);
    expect(countRuns({ numRuns: 60 }, { TEST_FULL: '1' })).toBe(1_000);
    expect(countRuns({ numRuns: 2_000 }, { TEST_FULL: '1' })).toBe(2_000);
  });

  it('multiplies the cases of a property that drives a database by ten in the full run', () => {
    expect(countRuns({ numRuns: 6 }, { TEST_FULL: '1' })).toBe(60);
  });

  it('keeps the cases of a replayed counterexample', () => {
    expect(countRuns({ numRuns: 7, path: '3:1' }, { TEST_FULL: '1' })).toBe(7);
  });

  it('runs properties with the seed of the day', () => {
    const seed = readSeed(process.env);
    if (seed === undefined) expect(fc.readConfigureGlobal()).not.toHaveProperty('seed');
    else expect(fc.readConfigureGlobal()).toMatchObject({ seed });
  });
});
