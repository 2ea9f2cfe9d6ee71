import { saysCommitted } from './commits.js';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../integration/trading-log.js';
import { BOUNDS, type Fault } from './fault.js';
import type { Verdict, Way } from './proxy.js';
import { serviceTools, servicesWithFault } from './tools.js';

const PRODUCE = 0;

/** 11. Idle half-open connections, and replies that are cut off after the request was received. */
export const halfOpen: Fault = {
  number: 11,
  code: 'FAULT-110',
  name: 'half-open sockets and cut replies',
  modes: ['embedded', 'distributed'],
  short: ['embedded'],
  run: async (run) => {
    const { world } = run;
    const seconds = run.short ? 4 : 12;
    /** Cuts one of several replies: the server has executed the call, and the caller does not learn it. */
    const cutting =
      (every: number, matters: (piece: Buffer) => boolean) =>
      (way: Way, piece: Buffer): Verdict =>
        way === 'reply' && matters(piece) && run.random(every) === 0 ? 'cut' : 'pass';

    await run.underLoad('replies to clients', { boundMs: BOUNDS.service }, async () => {
      world.front.watcher = cutting(6, () => true);
      await sleep(seconds * 1_000);
    });
    await run.underLoad('replies to commits', { boundMs: BOUNDS.database }, async () => {
      for (const { database } of world.lines.values())
        database.watcher = cutting(25, (piece) => saysCommitted('reply', piece));
      await sleep(seconds * 1_000);
    });
    if (world.mode === 'distributed') {
      await run.underLoad('replies of Kafka', { boundMs: BOUNDS.broker }, async () => {
        world.kafkaLine.watcher = (way, piece, link) => {
          if (way === 'request' && piece.length >= 12 && piece.readInt16BE(4) === PRODUCE)
            link.notes.set('produce', piece.readInt32BE(8));
          const answered = way === 'reply' && piece.length >= 8 && link.notes.get('produce') === piece.readInt32BE(4);
          return answered && run.random(15) === 0 ? 'cut' : 'pass';
        };
        await sleep(seconds * 1_000);
      });
      await run.underLoad('replies between services', { boundMs: BOUNDS.service }, async () => {
        for (const route of world.routes.values()) route.watcher = cutting(10, () => true);
        await sleep(seconds * 1_000);
      });
      if (run.short) return;
      await run.underLoad('Redis half-open for 10 s', { boundMs: BOUNDS.service }, async () => {
        for (const { redis } of world.lines.values()) if (redis) redis.frozen = true;
        await sleep(10_000);
      });
      const service = run.pick(servicesWithFault('line'));
      await run.underLoad(`${service} half-open for the edge, 10 s`, { boundMs: BOUNDS.service }, async () => {
        const route = world.routes.get(service);
        if (route) route.frozen = true;
        await sleep(10_000);
      });
      await run.underLoad(`the lines of ${service} half-open for 12 s`, { boundMs: BOUNDS.database }, async () => {
        const { database, redis } = world.line(service);
        for (const line of [database, redis]) if (line) line.frozen = true;
        await sleep(12_000);
      });
    }
  },
};

/** 13. Strangers at the door: floods of sockets, forged tokens, wrong passwords, requests that never end. */
export const floods: Fault = {
  number: 13,
  code: 'FAULT-130',
  name: 'socket floods and forged logins',
  modes: ['embedded', 'distributed'],
  short: ['embedded'],
  run: async (run) => {
    const { world } = run;
    const seconds = run.short ? 4 : 15;
    await run.underLoad('strangers', { boundMs: BOUNDS.service }, async (row, traders) => {
      const edge = world.mode === 'embedded' ? world.part('exchange') : world.part(serviceTools.EDGE);
      const sockets: Socket[] = [];
      const claims = JSON.stringify({ sub: '100001', sid: 'x'.repeat(43), exp: 9_999_999_999 });
      const forged = `eyJhbGciOiJub25lIn0.${Buffer.from(claims).toString('base64url')}.`;
      const rude = [
        'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\n' +
          'Upgrade: websocket\r\nConnection: Upgrade\r\n' +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
          `Authorization: ${forged}\r\n\r\n`,
        'POST /api/coin/trade HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nlegal_id=',
        'GET /api/quotation_new HTTP/1.1\r\nX-Slow: ',
        '\u0000\u0001\u0002garbage\r\n\r\n',
      ];
      const before = traders.accepted;
      const answers = { 'a forged token was accepted': 0, 'a wrong password was accepted': 0 };
      const end = Date.now() + seconds * 1_000;
      const flood = async (): Promise<void> => {
        while (Date.now() < end) {
          const socket = createConnection({ port: Number(new URL(edge.options.readyUrl).port), host: '127.0.0.1' });
          socket.on('error', () => socket.destroy());
          socket.resume(); // else its end would wait behind unread data
          socket.write(run.pick(rude));
          sockets.push(socket);
          await sleep(10);
        }
      };
      const forge = async (): Promise<void> => {
        for (let n = 0; Date.now() < end; n++) {
          const [token, path] = [
            run.pick([forged, 'null', 'undefined', 'x'.repeat(4_000), `${forged}e30`]),
            run.pick(['/api/wallet/list', '/api/user/info', '/api/statement/check']),
          ];
          const [shown, login] = await Promise.all([
            call(world.url, 'GET', path, {}, token).catch(refused),
            n % 4 === 0
              ? call(world.url, 'POST', '/api/user/login', {
                  user_string: `seller${run.random(3)}@demo.bourse`,
                  password: `wrong-${n}`,
                }).catch(refused)
              : refused(),
          ]);
          if (shown.type === 'ok') answers['a forged token was accepted'] += 1;
          if (login.type === 'ok') answers['a wrong password was accepted'] += 1;
          await sleep(20);
        }
      };
      await Promise.all([flood(), flood(), forge(), forge()]);
      for (const [what, count] of Object.entries(answers)) if (count > 0) row.wrong.push(`${what}, ${count} times`);
      row.notes.push(
        `${sockets.length} connections, ${sockets.filter((socket) => socket.destroyed).length} closed by the exchange`,
      );
      if (traders.accepted === before) row.wrong.push('no order was accepted beside the flood');
      for (const socket of sockets) socket.destroy();
    });
  },
};

const refused = (): { readonly type: string } => ({ type: 'none' });
