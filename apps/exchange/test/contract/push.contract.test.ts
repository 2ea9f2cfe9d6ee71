import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post, type Fields } from './client.js';
import { createNewcomer, done, operator, type Person } from './people.js';

/* Push messages over the calls: the tests have the push service, and the device that decrypts. */

type Devices = MessageOf<'GET /api/push/devices'>;
interface Message {
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

/** By the path of a device, what its push service got, and the status that it answers with. */
const got = new Map<string, Buffer[]>();
const statuses = new Map<string, number>();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    got.set(path, [...(got.get(path) ?? []), Buffer.concat(chunks)]);
    response.writeHead(statuses.get(path) ?? 201).end();
  });
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A browser: its keys, and what it reads (RFC 8291). */
function browser() {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys('base64url');
  const auth = randomBytes(16);
  const path = `/${randomBytes(8).toString('hex')}`;
  const read = (body: Buffer): Message => {
    const end = 21 + body[20]!;
    const sender = body.subarray(21, end);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
    const ikm = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
    const salt = body.subarray(0, 16);
    const derive = (what: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${what}\0`, bytes));
    const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    const sealed = body.subarray(end);
    cipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')) as Message;
  };
  return {
    path,
    fields: (): Fields => ({
      endpoint: `${origin}${path}`,
      p256dh,
      auth: auth.toString('base64url'),
      label: 'a phone',
    }),
    messages: (): Message[] => (got.get(path) ?? []).map(read),
  };
}
const devicesOf = async ({ token }: Person): Promise<Devices> =>
  (await done(get('/api/push/devices', {}, { token }))).message;
async function sendTo(person: Person, title: string): Promise<void> {
  const fields = { user_id: person.id, title, content: '<p>Hello</p>', reason: 'a message of the tests' };
  await done(post('/api/admin/notices', fields, { token: await operator('support1') }));
}

describe('push messages to a device [PUSH-007]', () => {
  test('a notice reaches the devices that chose its group, encrypted, and a switched-off one no more', async () => {
    const person = await createNewcomer();
    const { token } = person;
    const [chosen, other] = [browser(), browser()];
    const { message: device } = await done(post('/api/push/add', { ...chosen.fields(), account: 1 }, { token }));
    await done(post('/api/push/add', { ...other.fields(), deals: 1 }, { token }));
    expect(device).toMatchObject({ label: 'a phone', groups: ['account'] });
    const { public_key, devices } = await devicesOf(person);
    expect(Buffer.from(public_key, 'base64url').length).toBe(65);
    expect(devices.map(({ groups }) => groups)).toEqual([['deals'], ['account']]);
    await sendTo(person, 'To your phone');
    await eventuallySatisfied(
      () => Promise.resolve(chosen.messages()),
      ([first]) => first?.title === 'To your phone' && first.link === '/account/accountMessage',
    );
    const stranger = await createNewcomer();
    const foreign = await post('/api/push/remove', { id: device.id }, { token: stranger.token });
    expect(foreign.body).toMatchObject({ type: 'error', key: 'common.notFound' });
    await done(post('/api/push/remove', { id: device.id }, { token }));
    await done(post('/api/push/add', { ...other.fields(), account: 1 }, { token }));
    await sendTo(person, 'To the other');
    await eventuallySatisfied(
      () => Promise.resolve(other.messages()),
      (messages) => messages.some(({ title }) => title === 'To the other'),
    );
    expect(chosen.messages().length).toBe(1);
  });

  test('a device whose push service answers 410 is removed from the list', async () => {
    const person = await createNewcomer();
    const gone = browser();
    statuses.set(gone.path, 410);
    await done(post('/api/push/add', { ...gone.fields(), account: 1 }, { token: person.token }));
    await sendTo(person, 'To nobody');
    await eventuallySatisfied(
      () => devicesOf(person),
      ({ devices }) => devices.length === 0,
    );
  });

  test.each([
    ['an address of the own network', { endpoint: 'https://10.0.0.1/x' }, 'endpoint'],
    ['an address of the cloud', { endpoint: 'http://169.254.169.254/latest' }, 'endpoint'],
    ['a name without a dot', { endpoint: 'https://postgres/x' }, 'endpoint'],
    ['keys of no device', { p256dh: 'A'.repeat(87) }, 'p256dh'],
  ])('%s is refused', async (_, fields, field) => {
    const { token } = await createNewcomer();
    const sent = await post('/api/push/add', { ...browser().fields(), account: 1, ...fields }, { token });
    expect(sent.body).toMatchObject({ type: 'error', key: 'common.fieldInvalid', field });
  });

  test('alerts are a list of prices, of an own device', async () => {
    const { token } = await createNewcomer();
    const { message: device } = await done(post('/api/push/add', { ...browser().fields(), alerts: 1 }, { token }));
    const alert = { id: 'a', symbol: 'BTC/USDT', price: '1', above: false, link: '/dealCenter?legalId=1&currencyId=2' };
    const set = (alerts: unknown, id = device.id) =>
      post('/api/push/alerts', { id, alerts: JSON.stringify(alerts) }, { token });
    expect((await set([alert])).body).toMatchObject({ type: 'ok' });
    expect((await set([{ ...alert, link: '//elsewhere.example' }])).body).toMatchObject({ key: 'common.fieldInvalid' });
    expect((await set([{ ...alert, price: '1e9' }])).body).toMatchObject({ key: 'common.fieldInvalid' });
    expect((await set(Array.from({ length: 51 }, (_, at) => ({ ...alert, id: `a${at}` })))).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'alerts',
    });
    expect((await set([alert], device.id + 1_000_000)).body).toMatchObject({ key: 'common.notFound' });
  });
});
