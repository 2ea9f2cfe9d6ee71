import { expect, test } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { firstValueFrom, NEVER, of, type Observable } from 'rxjs';
import { CALL_POLICY, Refused, type CallPolicy, type Clock } from '@bourse/platform';
import type { CommandKeys } from '../application/command-keys.js';
import type { Commands } from '../application/commands.js';
import type { Latency } from '../../shared/application/latency.js';
import { BoundedCalls } from './bounded-calls.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';

/** The answer of a call that has run for this long when its handler begins, and whether the handler did begin. */
async function answer(
  policy: Partial<CallPolicy>,
  elapsedTime: number,
  handled: () => Observable<unknown>,
): Promise<{ said: unknown; begun: boolean; tookMs: number }> {
  const handler = Reflect.decorate(
    [
      (target: object) => {
        Reflect.defineMetadata(CALL_POLICY, policy, target);
      },
    ],
    class {},
  );
  const execution = {
    getHandler: () => handler,
    switchToHttp: () => ({ getRequest: () => ({ bourse: { commandId: null } }), getResponse: () => ({ elapsedTime }) }),
  } as unknown as ExecutionContext;
  const calls = new BoundedCalls({} as Commands, {} as CommandKeys, {} as Latency, {} as Clock);
  const interceptor = new DeadlineInterceptor(new Reflector(), calls);
  let begun = false;
  const from = performance.now();
  const said = await (async () =>
    firstValueFrom(
      interceptor.intercept(execution, {
        handle: () => {
          begun = true;
          return handled();
        },
      }),
    ))().catch((error: unknown) => (error instanceof Refused ? error.key : error));
  return { said, begun, tookMs: performance.now() - from };
}

test('the time of a call runs from its arrival and includes its guards [EDGE-023]', async () => {
  expect(await answer({ money: true }, 4_900, () => NEVER)).toMatchObject({ said: 'common.processing', begun: true });
  expect((await answer({}, 4_900, () => NEVER)).tookMs).toBeLessThan(2_000);
  expect(await answer({}, 4_900, () => NEVER)).toMatchObject({ said: 'common.unavailable', begun: true });
  expect(await answer({ money: true }, 4_000, () => of('done'))).toMatchObject({ said: 'done' });
});

test('a call without time left is not begun and is refused [EDGE-023]', async () => {
  expect(await answer({ money: true }, 5_001, () => of('done'))).toMatchObject({
    said: 'common.unavailable',
    begun: false,
  });
  expect(await answer({ money: true, deadlineMs: 20_000 }, 5_001, () => of('done'))).toMatchObject({
    said: 'done',
    begun: true,
  });
});
