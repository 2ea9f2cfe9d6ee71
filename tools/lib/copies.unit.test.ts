import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { openBalancer, readCopies } from './copies.mjs';

const MANIFESTS = [
  { name: 'gateway', deploy: {} },
  { name: 'market-data', deploy: { single: true } },
];
const open: { close(): unknown }[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
});

test('copies are read by service, 1 where none is named [DEPLOY-028]', () => {
  expect([...readCopies('gateway=2, market-data=1', MANIFESTS)]).toEqual([
    ['gateway', 2],
    ['market-data', 1],
  ]);
  expect(readCopies('', MANIFESTS).size).toBe(0);
});

test.each([
  ['gateway', /is not <service>=<count>/],
  ['gateway=many', /is not <service>=<count>/],
  ['gatway=2', /There is no service gatway: gateway, market-data/],
  ['gateway=0', /1 to 4 copies/],
  ['gateway=5', /1 to 4 copies/],
  ['market-data=2', /must not run twice/],
])('%s is refused in a sentence [DEPLOY-028]', (text, sentence) => {
  expect(() => readCopies(text, MANIFESTS)).toThrow(sentence);
});

test('connections take turns among the copies, and one that is down is passed over [DEPLOY-028]', async () => {
  const listen = async (name: string): Promise<{ server: Server; port: number }> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined); // the client closes first
      socket.on('data', (piece) => socket.end(`${name} ${piece.toString()}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  };
  const [first, second, spare] = [await listen('first'), await listen('second'), await listen('spare')];
  open.push(first.server, second.server);
  spare.server.close();
  open.push(await openBalancer(spare.port, [first.port, second.port]));
  const says = async (): Promise<string> => {
    const socket = createConnection({ port: spare.port, host: '127.0.0.1' });
    let said = '';
    socket.on('data', (piece: Buffer) => (said += piece.toString()));
    socket.on('error', () => undefined); // nothing is said then
    socket.write('hello');
    await once(socket, 'close');
    return said;
  };
  expect([await says(), await says()].sort()).toEqual(['first hello', 'second hello']);
  second.server.close();
  expect([await says(), await says(), await says()]).toEqual(['first hello', 'first hello', 'first hello']);
});
