import { describe, expect, test } from '@jest/globals';
import { startFailure } from './start-failure.js';

describe('a failed start', () => {
  const collected = { env: { NODE_ENV: 'production' }, atTerminal: false };

  test('is one line of JSON where logs are collected, with the stack apart [DEPLOY-009]', () => {
    const line = startFailure('Error: no room\n    at open (file.js:1:1)', collected);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      level: 'fatal',
      time: expect.stringMatching(/Z$/),
      service: 'exchange',
      msg: 'Error: no room',
      err: 'Error: no room\n    at open (file.js:1:1)',
    });
    expect(JSON.parse(startFailure('The settings do not fit:\n  - PORT', collected))).toMatchObject({
      msg: 'The settings do not fit:\n  - PORT',
    });
    expect(JSON.parse(startFailure('no', { service: 'auth', env: {}, atTerminal: false }))).toMatchObject({
      service: 'auth',
    });
  });

  test('is a sentence for a person [DEPLOY-009]', () => {
    expect(startFailure('no room', { ...collected, atTerminal: true })).toBe('no room');
    expect(startFailure('no room', { env: {}, atTerminal: false })).toBe('no room');
  });
});
