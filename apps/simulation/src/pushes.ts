import { TOPICS, type Message } from '@bourse/events';
import type { SimulatedTables } from '@bourse/ledger-client';
import type { OutboxRow, Tx } from '@bourse/persistence';
import type { MemoryTx } from '@bourse/persistence/memory';

/** One push as the gateway stores it. */
interface StoredPush {
  readonly userId: number;
  readonly number: number;
  readonly text: string;
}

/** Private events as the gateway numbers them: per user, in the order they come. */
export function storePushes(messages: readonly Message[], tx: Tx): Promise<void> {
  return (tx as MemoryTx).statement('number pushes', async (at) => {
    for (const { body } of messages as readonly Message<{ userId: number; event: string; payload: unknown }>[]) {
      const user = String(body.userId);
      await at.lock('gateway.user', user);
      const number = (at.get<{ number: number }>('gateway.user', user)?.number ?? 0) + 1;
      await at.put('gateway.user', user, { number });
      await at.put('gateway.push', `${user}#${number}`, {
        userId: body.userId,
        number,
        text: JSON.stringify(body),
      } satisfies StoredPush);
    }
  });
}

/** I10: every private event once, and per user and sender in the order of the commits. */
export function checkPushes(server: SimulatedTables, schemas: readonly string[]): string[] {
  const problems: string[] = [];
  const got = new Map<number, string[]>();
  for (const push of [...server.rows<StoredPush>('gateway.push')].sort((a, b) => a.number - b.number))
    got.set(push.userId, [...(got.get(push.userId) ?? []), push.text]);
  const sent = new Map<number, Map<string, string[]>>();
  for (const schema of schemas) {
    for (const row of [...server.rows<OutboxRow>(`${schema}.outbox`)]
      .filter(({ topic }) => topic === TOPICS.userEvents)
      .sort((a, b) => a.number - b.number)) {
      for (const { body } of JSON.parse(row.payload) as Message<{ userId: number }>[]) {
        const streamsOf = sent.get(body.userId) ?? new Map<string, string[]>();
        sent.set(body.userId, streamsOf);
        streamsOf.set(row.stream, [...(streamsOf.get(row.stream) ?? []), JSON.stringify(body)]);
      }
    }
  }
  for (const [user, streamsOf] of sent) {
    const heard = got.get(user) ?? [];
    const total = [...streamsOf.values()].reduce((sum, list) => sum + list.length, 0);
    if (heard.length !== total) problems.push(`I10 user ${user} got ${heard.length} pushes of ${total}`);
    for (const [stream, list] of streamsOf) {
      let at = 0;
      for (const text of heard) if (text === list[at]) at += 1;
      if (at !== list.length)
        problems.push(`I10 pushes of ${stream} reached user ${user} out of order after ${at} of ${list.length}`);
    }
  }
  return problems;
}
