import { expect, test } from '@jest/globals';
import { browsersRefuse } from './clone.mjs';

test('a port that browsers never connect to is known before anything is installed [START-010]', async () => {
  expect(await browsersRefuse(5060)).toBe(true);
  expect(await browsersRefuse(6000)).toBe(true);
  expect(await browsersRefuse(9)).toBe(true);
  expect(await browsersRefuse(8080)).toBe(false);
});
