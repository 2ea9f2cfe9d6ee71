import { expect, test } from '@jest/globals';
import type { FactoryProvider, Provider } from '@nestjs/common';
import type { Command, Commands, Sagas } from '@bourse/ledger-client';
import { FixedSettings } from '@bourse/settings';
import { Refused, SystemClock, type Config } from '@bourse/platform';
import { PointsBindings } from '../src/points/application/points-bindings.js';
import { PointsProgram, type PointsStore } from '../src/points/application/points-ports.js';
import type { PointsDatabase } from '../src/shared/application/database.js';
import { POINTS } from '../src/points/part.js';

/** Replaces a part that must not be used: every call fails. */
const untouched = <T>(): T =>
  new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`${String(name)} was called`)) }) as T;
const isFactory = (provider: Provider): provider is FactoryProvider<PointsProgram> =>
  typeof provider === 'object' && provider.provide === PointsProgram && 'useFactory' in provider;

/** The third party of an install, as the service itself chooses it. */
function programOf(config: Partial<Config>): PointsProgram {
  const factory = POINTS.providers.find(isFactory)!;
  return factory.useFactory({ pointsProgram: null, ...config }, new SystemClock()) as PointsProgram;
}
const bindingsWith = (program: PointsProgram): PointsBindings =>
  new PointsBindings(
    { defineMove: () => ({}) } as unknown as Sagas,
    { run: (_context: unknown, { prepare }: Command<unknown>) => prepare?.() } as unknown as Commands,
    untouched<PointsDatabase>(),
    untouched<PointsStore>(),
    program,
    new FixedSettings(),
    new SystemClock(),
    { next: () => '1' },
  );

test('an install without a third party binds no account, and stores nothing of the try [POINTS-014]', async () => {
  const program = programOf({ dev: false });
  expect(program.isOpen).toBe(false);
  const refusal: unknown = await bindingsWith(program)
    .bind(1, { userName: 'jcdemo', password: 'jcdemo1' }, {} as never)
    .catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(Refused);
  expect((refusal as Refused).key).toBe('jc.closed');
});

test('a demo install and one that names a third party are open [POINTS-014]', () => {
  const named = { url: 'http://127.0.0.1:1', secret: 'a secret that both know' };
  expect(programOf({ dev: true }).isOpen).toBe(true);
  expect(programOf({ dev: false, pointsProgram: named } as unknown as Partial<Config>).isOpen).toBe(true);
});
