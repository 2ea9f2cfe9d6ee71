import { CLIENT_MESSAGES, PRIVATE_EVENTS, PUBLIC_EVENTS, SOCKET_EVENTS, type PrivateEvent } from '@bourse/contract';
import { z } from 'zod';
import { VERSION } from '../../version.js';

interface Sent {
  readonly payload: z.core.$ZodType;
  readonly about: string;
}

const schemaOf = (schema: z.core.$ZodType): Record<string, unknown> => {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', unrepresentable: 'any' });
  return rest;
};
const messageOf = ([name, { payload, about }]: readonly [string, Sent]): readonly [string, object] => [
  name,
  { name, summary: about, payload: schemaOf(payload) },
];
const REF = '#/channels/socket';

/**
 * The socket as an AsyncAPI 3 document, generated from the tables that gateway and terminal use (api §4, §6.15).
 * `examples` run beside the services.
 */
export function asyncApi(examples: readonly string[]): object {
  const ofPersons = Object.entries<PrivateEvent>(PRIVATE_EVENTS).filter(
    ([, { example }]) => example === undefined || examples.includes(example),
  );
  const sent = { ...PUBLIC_EVENTS, ...Object.fromEntries(ofPersons), ...SOCKET_EVENTS };
  const received = Object.entries(CLIENT_MESSAGES);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Bourse socket',
      version: VERSION,
      description:
        'socket.io (protocol 5). Messages are events with one payload; what a ' +
        'client sends is answered by an acknowledgement.',
    },
    channels: {
      socket: {
        address: '/socket.io',
        messages: Object.fromEntries<unknown>([
          ...Object.entries(sent).map(messageOf),
          ...received.map(messageOf),
          ...received.map(([name, { ack, about }]) => messageOf([`${name}_ack`, { payload: ack, about }])),
        ]),
      },
    },
    operations: Object.fromEntries<unknown>([
      ...Object.keys(sent).map((name): [string, unknown] => [
        name,
        {
          action: 'send',
          channel: { $ref: REF },
          messages: [{ $ref: `${REF}/messages/${name}` }],
          ...(Object.hasOwn(PRIVATE_EVENTS, name) ? { 'x-private': true } : {}),
        },
      ]),
      ...received.map(([name]): [string, unknown] => [
        name,
        {
          action: 'receive',
          channel: { $ref: REF },
          messages: [{ $ref: `${REF}/messages/${name}` }],
          reply: { channel: { $ref: REF }, messages: [{ $ref: `${REF}/messages/${name}_ack` }] },
        },
      ]),
    ]),
  };
}
