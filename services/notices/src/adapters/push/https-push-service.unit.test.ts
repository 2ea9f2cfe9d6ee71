import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { SystemClock, type Config } from '@bourse/platform';
import type { PushKey } from '../../application/push-key.js';
import { HttpsPushService } from './https-push-service.js';

const ecdh = createECDH('prime256v1');
const serverKey = ecdh.generateKeys('base64url');
const key = { read: () => Promise.resolve({ publicKey: serverKey, privateKey: ecdh.getPrivateKey('base64url') }) };
const service = (pushTestOrigin: string | null): HttpsPushService =>
  new HttpsPushService(key as PushKey, new SystemClock(), { pushTestOrigin, publicOrigins: [] } as unknown as Config);

const TEST_ORIGIN = 'http://127.0.0.1';
const device = createECDH('prime256v1');
const p256dh = device.generateKeys('base64url');
const auth = randomBytes(16);
const due = (endpoint: string, payload = '{"title":"a"}') => ({
  ...{ id: 1, deviceId: 1, endpoint, host: new URL(endpoint).host, payload, tries: 1 },
  ...{ p256dh, auth: auth.toString('base64url') },
});

/** What the device does (RFC 8188, RFC 8291). */
function decrypt(body: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body[20]!);
  const secret = device.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device.getPublicKey(), sender]);
  const ikm = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
  const cek = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12));
  const sealed = body.subarray(21 + body[20]!);
  const cipher = createDecipheriv('aes-128-gcm', cek, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

let close = (): void => undefined;
afterEach(() => close());
async function pushServer(status: number, headers: Record<string, string> = {}) {
  const got: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

test('the device alone reads the message, and the push service knows the sender by its key [PUSH-001]', async () => {
  const { origin, got } = await pushServer(201);
  const payload = JSON.stringify({ title: 'Auftrag ausgeführt', body: '价格' });
  expect(await service(TEST_ORIGIN).send(due(`${origin}/device`, payload))).toBe('sent');
  const [{ headers, body }] = got as [{ headers: IncomingHttpHeaders; body: Buffer }];
  expect(decrypt(body)).toBe(payload);
  expect(body.includes('Auftrag')).toBe(false);
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '900' });
  const [, jwt, k] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(k).toBe(serverKey);
  const [head, claims, signature] = jwt!.split('.') as [string, string, string];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: origin });
  const point = Buffer.from(serverKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(signed).toBe(true);
});

test('a redirect is not followed, and a 410 is reported as a device that is gone [PUSH-002]', async () => {
  const { origin, got } = await pushServer(302, { location: '/other' });
  expect(await service(TEST_ORIGIN).send(due(`${origin}/device`))).toBe('refused');
  expect(got.length).toBe(1);
  close();
  const gone = await pushServer(410);
  expect(await service(TEST_ORIGIN).send(due(`${gone.origin}/device`))).toBe('gone');
});

test('without the setting of the tests nothing is sent to the own network [PUSH-002]', async () => {
  const { origin, got } = await pushServer(201);
  expect(await service(null).send(due(`${origin}/device`))).toBe('gone');
  expect(await service(null).send(due('https://localhost/device'))).toBe('gone');
  expect(got).toEqual([]);
});

test('a device whose key is not on the curve is removed [PUSH-003]', async () => {
  const { origin } = await pushServer(201);
  const wrong = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  expect(await service(TEST_ORIGIN).send({ ...due(`${origin}/device`), p256dh: wrong })).toBe('gone');
});
