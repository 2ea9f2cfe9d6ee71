import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { deflateSync, crc32 } from 'node:zlib';
import { UPLOAD_LIMITS } from '@bourse/contract';
import { Asks, gatewayAsks, type QuestionOf } from '@bourse/messaging';
import sharp, { type Sharp } from 'sharp';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { Uploads, UploadStore } from '../../src/uploads/application/uploads.js';
import { Clock, type Config, type DataKey } from '@bourse/platform';
import { PostgresUploadStore } from '../../src/uploads/persistence/postgres-upload-store.js';
import { GatewayDatabase } from '../../src/shared/persistence/gateway-database.js';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.end();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { type: string; key?: string; message: string; params?: { seconds: number } };
}
let next = 1_000;
/** Each test has a person of its own: ten uploads an hour are all that one has. */
function newcomer(): { id: number; token: string } {
  next += 1;
  gateway.people.set(next, person(next));
  return { id: next, token: gateway.token(next) };
}
async function send(
  token: string | null,
  parts: readonly (readonly [name: string, value: string | Buffer, filename?: string])[],
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), filename ?? 'a.png');
  }
  const response = await fetch(`${gateway.url}/api/upload`, {
    method: 'POST',
    body,
    headers: token ? { authorization: token } : {},
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}
const picture = (width = 8, height = 4): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#0a84ff' } });
const nameIn = (address: string): string => /\/api\/upload\/([^?]+)/.exec(address)?.[1] ?? '';

/** A PNG whose header claims a size, with as few bytes as possible. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc32(named));
    return Buffer.concat([head, named, tail]);
  };
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(side, 0);
  ihdr.writeUInt32BE(side, 4);
  ihdr.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', ihdr),
    chunk('IDAT', deflateSync(Buffer.alloc(1 << 20))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('images that are taken', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    '%s is stored as a picture only, and shown by its signed address [UPLOAD-001]',
    async (format) => {
      const { id, token } = newcomer();
      const source = await picture()
        .withExif({ IFD0: { Copyright: '<script>alert(1)</script>', Make: 'SECRET-CAMERA' } })
        .toFormat(format)
        .toBuffer();
      const polyglot = Buffer.concat([source, Buffer.from('PK\u0003\u0004<html><script>alert(2)</script>')]);
      const sent = await send(token, [
        ['scene', 'kyc'],
        ['file', polyglot, '../../evil.html'],
      ]);
      expect([sent.status, sent.body.type]).toEqual([200, 'ok']);
      expect(sent.body.message).toMatch(/^\/api\/upload\/[A-Za-z0-9_-]{32}\.(jpg|png|webp)\?e=\d+&s=[\w-]+$/);
      const shown = await fetch(`${gateway.url}${sent.body.message}`);
      const bytes = Buffer.from(await shown.arrayBuffer());
      expect([
        shown.status,
        shown.headers.get('content-type'),
        shown.headers.get('x-content-type-options'),
        shown.headers.get('content-security-policy'),
        shown.headers.get('cache-control'),
      ]).toEqual([200, `image/${format}`, 'nosniff', "default-src 'none'; sandbox", 'private, max-age=300']);
      expect(bytes.toString('latin1')).not.toMatch(/script|SECRET|<html/);
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 8, height: 4 });
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
      expect(
        await gateway.app
          .get(Asks)
          .ask(gatewayAsks.upload, { name: nameIn(sent.body.message), userId: id, scene: 'kyc' }),
      ).toEqual({ ok: true });
    },
  );

  test('a picture is rotated by its EXIF orientation, and a very large one shrunk [UPLOAD-001]', async () => {
    const { token } = newcomer();
    const turned = await send(token, [
      ['file', await picture(8, 4).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ]);
    const bytes = Buffer.from(await (await fetch(`${gateway.url}${turned.body.message}`)).arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 4, height: 8 });
    const large = await send(token, [['file', await picture(5_000, 4_900).png().toBuffer()]]);
    expect(
      await sharp(Buffer.from(await (await fetch(`${gateway.url}${large.body.message}`)).arrayBuffer())).metadata(),
    ).toMatchObject({ width: 4_096 });
  });

  test('an image answers its owner and its scene only, an unknown name like a foreign one [UPLOAD-004]', async () => {
    const { id, token } = newcomer();
    const name = nameIn((await send(token, [['file', await picture().png().toBuffer()]])).body.message);
    const ask = (question: QuestionOf<typeof gatewayAsks.upload>): Promise<unknown> =>
      gateway.app.get(Asks).ask(gatewayAsks.upload, question);
    expect(await ask({ name, userId: id, scene: 'pay' })).toEqual({ ok: true });
    for (const other of [
      { name, userId: id + 1, scene: 'pay' },
      { name, userId: id, scene: 'kyc' },
      { name, userId: id, scene: 'nothing' },
      { name: `${'a'.repeat(32)}.png`, userId: id, scene: 'pay' },
    ])
      expect(await ask(other)).toEqual({ ok: false });
  });

  test('an address that was changed, is unsigned or too old is nowhere [UPLOAD-004]', async () => {
    const { token } = newcomer();
    const address = new URL(
      (await send(token, [['file', await picture().png().toBuffer()]])).body.message,
      gateway.url,
    );
    const changed = (change: (url: URL) => void): string => {
      const url = new URL(address);
      change(url);
      return url.href;
    };
    for (const bad of [
      changed((url) => {
        url.search = '';
      }),
      changed((url) => url.searchParams.set('e', String(Date.now() + 9e9))),
      changed((url) => url.searchParams.set('s', 'x')),
      changed((url) => url.searchParams.delete('s')),
      changed((url) => {
        url.pathname = url.pathname.replace('.png', '.jpg');
      }),
      changed((url) => {
        url.pathname = `/api/upload/${'b'.repeat(32)}.png`;
      }),
      changed((url) => {
        url.pathname = '/api/upload/..%2f..%2fetc%2fpasswd';
      }),
    ]) {
      const answer = await fetch(bad);
      expect([bad, answer.status]).toEqual([bad, 404]);
    }
    expect((await fetch(`${gateway.url}/api/upload/${nameIn(address.href)}`, { method: 'DELETE' })).status).toBe(405);
  });
});

describe('files that are not', () => {
  test('a file that is no accepted picture is refused by its content, whatever its name [UPLOAD-002]', async () => {
    const jpeg = await picture(64, 64).jpeg().toBuffer();
    const files: Record<string, Buffer> = {
      text: Buffer.from('<html><script>alert(1)</script></html>'),
      svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      gif: await picture().gif().toBuffer(),
      zip: Buffer.from('PK\u0003\u0004\u0014'),
      avif: await picture().avif().toBuffer(),
      tiff: await picture().tiff().toBuffer(),
      cut: jpeg.subarray(0, jpeg.length - 80),
      head: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      named: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('<script>')]),
    };
    for (const [what, bytes] of Object.entries(files)) {
      const { status, body } = await send(newcomer().token, [['file', bytes, 'a.png']]);
      expect([what, status, body.type, body.key]).toEqual([what, 200, 'error', 'upload.type']);
    }
    const frames = await sharp(
      await Promise.all([
        picture(4, 4).png().toBuffer(),
        sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ]),
      { join: { animated: true } },
    )
      .webp()
      .toBuffer();
    expect((await sharp(frames).metadata()).pages).toBe(2);
    expect((await send(newcomer().token, [['file', frames]])).body.key).toBe('upload.type');
  });

  test('too many bytes or pixels are too large, and cost no time [UPLOAD-003]', async () => {
    const { token } = newcomer();
    const files = Object.entries({
      bytes: Buffer.concat([await picture().png().toBuffer(), Buffer.alloc(6 * 1024 * 1024)]),
      pixels: hugePng(25_000),
      some: Buffer.concat([await picture().png().toBuffer(), Buffer.alloc(5 * 1024 * 1024)]),
    });
    const begun = Date.now();
    for (const [what, bytes] of files) {
      const { status, body } = await send(token, [['file', bytes]]);
      expect([what, status, body.type, body.key]).toEqual([what, 413, 'error', 'upload.size']);
    }
    expect(Date.now() - begun).toBeLessThan(testTimeoutMs(1_000));
  });

  test('no file, an empty one, two, one of another name, a field twice, an unknown scene [UPLOAD-002]', async () => {
    const { token } = newcomer();
    const png = await picture().png().toBuffer();
    const said = async (...parts: Parameters<typeof send>[1]): Promise<unknown> => {
      const { status, body } = await send(token, parts);
      return [status, body.key];
    };
    expect(await said(['scene', 'pay'])).toEqual([200, 'upload.required']);
    expect(await said(['file', Buffer.alloc(0)])).toEqual([200, 'upload.required']);
    expect(await said(['file', png], ['file', png])).toEqual([400, 'common.badRequest']);
    expect(await said(['image', png])).toEqual([400, 'common.badRequest']);
    expect(await said(['file', png], ['scene', 'pay'], ['scene', 'kyc'])).toEqual([400, 'common.badRequest']);
    expect(await said(['__proto__', 'x'], ['file', png])).toEqual([400, 'common.badRequest']);
    expect(await said(['scene', 'avatar'], ['file', png])).toEqual([200, 'common.fieldInvalid']);
  });

  test('several parts are for uploads only; uploads need a token, and never a plain body [UPLOAD-002]', async () => {
    const { token } = newcomer();
    const form = new FormData();
    form.append('a', 'b');
    for (const path of ['/api/probe/money', '/api/upload/x', '/api/nothing', '/api/upload/'])
      expect([
        path,
        (await fetch(`${gateway.url}${path}`, { method: 'POST', body: form, headers: { authorization: token } }))
          .status,
      ]).toEqual([path, 415]);
    expect((await send(null, [['file', await picture().png().toBuffer()]])).body.type).toBe('999');
    const plain = await fetch(`${gateway.url}/api/upload`, {
      method: 'POST',
      body: 'file=x',
      headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(plain.status).toBe(415);
  });

  test('ten an hour, and no more than an account may hold [UPLOAD-003]', async () => {
    const { id, token } = newcomer();
    const png = await picture().png().toBuffer();
    for (let at = 0; at < 10; at += 1) expect((await send(token, [['file', png]])).body.type).toBe('ok');
    const late = await send(token, [['file', png]]);
    expect([late.status, late.body.key, late.headers.get('retry-after')]).toEqual([
      429,
      'common.tooMany',
      String(late.body.params?.seconds),
    ]);
    const store = gateway.app.get(UploadStore);
    const add = (at: number): Promise<boolean> =>
      store.add(
        {
          name: `${String(id).padStart(20, '0')}-${at}.png`,
          userId: id + 500_000,
          scene: 'pay',
          type: 'png',
          bytes: Buffer.alloc(40),
        },
        400,
      );
    expect((await Promise.all(Array.from({ length: 32 }, (_, at) => add(at)))).filter(Boolean)).toHaveLength(10);
  });

  test('a picture beyond the 50 MB of its person is refused; nothing of it is kept [UPLOAD-006]', async () => {
    const { id, token } = newcomer();
    const png = await picture().png().toBuffer();
    expect((await send(token, [['file', png]])).body.type).toBe('ok');
    const database = gateway.app.get(GatewayDatabase);
    const held = async (): Promise<unknown> =>
      (
        await database.query(
          `select (select bytes from upload_space where user_id = $1)::int as bytes,
                  (select count(*) from upload where user_id = $1)::int as pictures`,
          [id],
        )
      )[0];
    await database.execute('update upload_space set bytes = $2 where user_id = $1', [
      id,
      UPLOAD_LIMITS.perUserBytes - 1,
    ]);
    const before = await held();
    const refused = await send(token, [['file', png]]);
    expect([refused.status, refused.body]).toEqual([
      200,
      expect.objectContaining({ type: 'error', key: 'upload.quota', field: 'file' }),
    ]);
    expect(await held()).toEqual(before);
    expect((await send(newcomer().token, [['file', png]])).body.type).toBe('ok');
    await database.execute('update upload_space set bytes = bytes / 2 where user_id = $1', [id]);
    expect((await send(token, [['file', png]])).body.type).toBe('ok');
  });

  test('an image that is not used within a day is removed, and its space freed [UPLOAD-005]', async () => {
    const { id, token } = newcomer();
    const png = await picture().png().toBuffer();
    const [used, unused] = [
      nameIn((await send(token, [['file', png]])).body.message),
      nameIn((await send(token, [['file', png]])).body.message),
    ];
    const database = gateway.app.get(GatewayDatabase);
    await gateway.app.get(Uploads).claim(used, id, 'pay');
    await database.execute(`update upload set created_at = created_at - interval '2 days' where user_id = $1`, [id]);
    const space = async (): Promise<number> =>
      Number(
        (await database.query<{ bytes: string }>('select bytes from upload_space where user_id = $1', [id]))[0]?.bytes,
      );
    const before = await space();
    expect(await gateway.app.get(UploadStore).sweep(Date.now())).toBe(1);
    expect(
      (await database.query('select name from upload where user_id = $1', [id])).map(
        (row) => (row as { name: string }).name,
      ),
    ).toEqual([used]);
    expect(unused).not.toBe(used);
    expect(await space()).toEqual(before / 2);
    const [run] = await database.query<{ what: string; count: number }>('select what, count from retention_run');
    expect(run).toEqual({ what: 'unused_uploads', count: 1 });
  });

  test('images lie sealed, each for its name; those of before, or under an old key, again [HARD-316]', async () => {
    const { id, token } = newcomer();
    const png = await picture().png().toBuffer();
    const [address, other] = [
      (
        await send(token, [
          ['scene', 'kyc'],
          ['file', png],
        ])
      ).body.message,
      (
        await send(token, [
          ['scene', 'kyc'],
          ['file', png],
        ])
      ).body.message,
    ];
    const database = gateway.app.get(GatewayDatabase);
    const store = gateway.app.get(UploadStore);
    const stored = async (name = nameIn(address)): Promise<{ image: Buffer; key_id: string | null }> =>
      (
        await database.query<{ image: Buffer; key_id: string }>('select image, key_id from upload where name = $1', [
          name,
        ])
      )[0]!;
    const shown = async (): Promise<Buffer> =>
      Buffer.from(await (await fetch(`${gateway.url}${address}`)).arrayBuffer());
    const image = await shown();
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    const { image: sealed, key_id: keyId } = await stored();
    expect(keyId).toEqual(expect.any(String));
    expect(sealed.includes('PNG')).toBe(false);
    expect(sealed.includes(image.subarray(8, 40))).toBe(false);

    await database.execute('update upload set image = $2, key_id = null where name = $1', [nameIn(address), image]);
    expect((await shown()).equals(image)).toBe(true);
    expect(await store.reseal()).toEqual({ sealed: 1, broken: 0 });
    expect((await stored()).image.includes('PNG')).toBe(false);
    expect((await shown()).equals(image)).toBe(true);
    expect(await store.reseal()).toEqual({ sealed: 0, broken: 0 });

    // Under a newer key all are sealed again; without the old key they stay as they are, and are counted as broken.
    const { config } = store as unknown as { config: Config };
    const under = (dataKeys: readonly DataKey[], internalSecret = config.internalSecret): PostgresUploadStore =>
      new PostgresUploadStore(database, { ...config, dataKeys, internalSecret } as Config, gateway.app.get(Clock));
    const key = { id: 'k9', secret: 'a key for the pictures of the tests' };
    expect((await under([], 'another secret of the gateway').reseal()).broken).toBeGreaterThan(0);
    expect((await under([key]).reseal()).broken).toBe(0);
    expect((await stored()).key_id).toBe('k9');
    expect((await under([key], 'another secret of the gateway').read(nameIn(address)))?.bytes.equals(image)).toBe(true);
    // A picture cannot be shown in place of another.
    await database.execute('update upload set image = (select image from upload where name = $2) where name = $1', [
      nameIn(address),
      nameIn(other),
    ]);
    await expect(under([key]).read(nameIn(address))).rejects.toThrow('sealed for something else');
    expect(await store.forget([nameIn(address), nameIn(other), 'nothing.png'])).toBe(2);
    expect(
      Number(
        (await database.query<{ bytes: string }>('select bytes from upload_space where user_id = $1', [id]))[0]?.bytes,
      ),
    ).toBe(0);
  });
});

describe('pictures of news [NEWS-005]', () => {
  const operator = (id: number, roles: readonly string[]): string => {
    gateway.people.set(id, person(id, { kind: 'operator', accountNumber: `operator${id}`, roles: [...roles] }));
    return gateway.token(id);
  };
  async function keep(token: string, query = '?reason=a+banner+for+june'): Promise<Answer> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(await picture().png().toBuffer())], { type: 'image/png' }), 'a.png');
    const response = await fetch(`${gateway.url}/api/admin/upload${query}`, {
      method: 'POST',
      body,
      headers: { authorization: token },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }
  const claim = (...names: string[]): Promise<unknown> =>
    gateway.app.get(Asks).ask(gatewayAsks.newsPictures, { names });

  test('are public once a news item names them, and private before', async () => {
    const { body } = await keep(operator(81, ['support']));
    const plain = `${gateway.url}/api/upload/${nameIn(body.message)}`;
    expect((await fetch(plain)).status).toBe(404);
    const signed = await fetch(`${gateway.url}${body.message}`);
    // The console may have an origin of its own, and can still display a signed picture [CONSOLE-301].
    expect([signed.status, signed.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
    expect(await claim(nameIn(body.message))).toEqual({ names: [nameIn(body.message)] });
    const shown = await fetch(plain);
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      ...[200, 'image/png', 'public, max-age=86400, immutable'],
    ]);
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const lines = await gateway.app
      .get(GatewayDatabase)
      .query<{ payload: { action: string; reason: string } }>(
        `select payload from gateway.outbox where topic = 'operator.actions'`,
      );
    expect(JSON.stringify(lines)).toContain('a banner for june');
  });

  test("cannot be used as people's uploads, nor people's uploads as news", async () => {
    const { token } = newcomer();
    const own = await send(token, [
      ['scene', 'evidence'],
      ['file', await picture().png().toBuffer()],
    ]);
    expect(await claim(nameIn(own.body.message))).toEqual({ names: [] });
    expect((await fetch(`${gateway.url}/api/upload/${nameIn(own.body.message)}`)).status).toBe(404);
    const stranger = await send(token, [
      ['scene', 'news'],
      ['file', await picture().png().toBuffer()],
    ]);
    expect(stranger.body.key).toBe('common.fieldInvalid');
    expect((await keep(token)).status).toBe(403);
  });

  test.each([
    ['invisible', '\u200b'.repeat(5)],
    ['blank', ' '.repeat(5)],
    ['both', ` \u200b \u2060 abc \u00ad `],
  ])('need a reason that shows: %s is none [FIELDS-011]', async (_what, reason) => {
    expect((await keep(operator(82, ['support']), `?reason=${encodeURIComponent(reason)}`)).body.key).toBe(
      'admin.reason',
    );
  });

  test('need a reason and an operator', async () => {
    expect((await keep(operator(82, ['support']), '')).body.key).toBe('admin.reason');
    expect((await keep('nobody')).body.type).toBe('999');
  });
});
