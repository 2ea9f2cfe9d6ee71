import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';

interface Answer {
  readonly id: number;
  readonly told?: string;
  readonly error?: string;
}
let child: ChildProcess | undefined;
let count = 0;
const waiting = new Map<number, { resolve: (told: unknown) => void; reject: (error: Error) => void }>();

function start(): ChildProcess {
  const started = fork(fileURLToPath(new URL('./runner.mjs', import.meta.url)), {
    execArgv: [],
    env: { PATH: process.env['PATH'] },
  });
  started.on('message', ({ id, told, error }: Answer) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(JSON.parse(told ?? '{}') as unknown);
    else one?.reject(new Error(error));
  });
  started.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the program ended with ${String(code ?? signal)}`));
    waiting.clear();
    child = undefined;
  });
  return started;
}
afterAll(async () => {
  const running = child;
  if (running === undefined) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill();
  await ended;
});

/**
 * Runs a piece of a program in the process that this test file shares: ccxt loads every exchange there is. Returns its
 * result.
 */
export function inProcess(body: string): Promise<unknown> {
  child ??= start();
  const id = (count += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    child?.send({ id, body });
  });
}
