import type { Logger } from '@nestjs/common';
import { createAdapter } from '@socket.io/redis-adapter';
import { redisSettings, type RedisAddress } from '@bourse/messaging';
import { createClient } from 'redis';
import type { Server } from 'socket.io';

/** Joins the rooms of all gateways through Redis. Returns the function that closes its connections. */
export async function joinRoomsThroughRedis(
  io: Server,
  address: RedisAddress,
  log: Logger,
): Promise<() => Promise<void>> {
  const { url, socket } = redisSettings(address);
  const publisher = createClient({ url, socket: { ...socket, connectTimeout: 5_000 } });
  const subscriber = publisher.duplicate();
  for (const client of [publisher, subscriber])
    client.on('error', (error: Error) => log.warn(`Redis: ${error.message}`));
  let lost = false;
  subscriber.on('reconnecting', () => {
    lost = true;
  });
  // Messages published meanwhile are lost: clients must resynchronise.
  subscriber.on('ready', () => {
    if (lost) {
      lost = false;
      io.local.disconnectSockets(true);
    }
  });
  await Promise.all([publisher.connect(), subscriber.connect()]);
  io.adapter(createAdapter(publisher, subscriber, { key: 'bourse:sockets' }));
  return async () => {
    publisher.destroy();
    subscriber.destroy();
    await Promise.resolve();
  };
}
