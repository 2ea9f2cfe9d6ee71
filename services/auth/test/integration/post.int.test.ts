import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { startAuth, type AuthProcess } from './auth-process.js';

jest.setTimeout(testTimeoutMs(24_000));

const mails: string[] = [];
const messages: { to: string; text: string }[] = [];
/** How many requests the SMS provider refuses before it takes one. */
let refusals = 0;

/** As much of a mail server as a client needs. */
const smtp: NetServer = createServer((socket) => {
  let data: string | null = null;
  socket.write('220 test\r\n');
  socket.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('utf8').split('\r\n')) {
      if (data !== null) {
        if (line === '.') {
          mails.push(data);
          data = null;
          socket.write('250 taken\r\n');
        } else data += `${line}\n`;
      } else if (/^(EHLO|HELO|MAIL|RCPT|RSET)/i.test(line)) socket.write('250 fine\r\n');
      else if (/^DATA/i.test(line)) {
        data = '';
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
    }
  });
  socket.on('error', () => socket.destroy());
});
const sms: Server = createHttpServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8');
  });
  request.on('end', () => {
    const refused = refusals > 0;
    if (refused) refusals -= 1;
    else messages.push(JSON.parse(body) as { to: string; text: string });
    response.statusCode = refused ? 500 : 200;
    response.end();
  });
});
const listening = async (server: NetServer | Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth({
    SMTP_URL: `smtp://127.0.0.1:${await listening(smtp)}/?ignoreTLS=true`,
    SMTP_FROM: 'Bourse <desk@example.org>',
    SMS_URL: `http://127.0.0.1:${await listening(sms)}/send`,
  });
});
afterAll(async () => {
  await auth.end();
  smtp.close();
  sms.close();
});

test('a code leaves by mail, the same as in the inbox [AUTH-024]', async () => {
  expect((await auth.post('/api/sms_mail', { user_string: 'letters@example.org', scene: 'register' })).key).toBe(
    'code.sent',
  );
  await eventually(() => mails.length === 1);
  const code = await auth.code('letters@example.org', 'register');
  expect(mails[0]).toMatch(/^From: Bourse <desk@example\.org>$/m);
  expect(mails[0]).toMatch(/^To: letters@example\.org$/m);
  expect(mails[0]).toContain(code);
});

test('nothing leaves for accounts that are not there [AUTH-023]', async () => {
  const before = mails.length;
  expect((await auth.post('/api/sms_mail', { user_string: 'ghost@example.org', scene: 'forget' })).key).toBe(
    'code.sent',
  );
  expect((await auth.post('/api/sms_mail', { user_string: 'trader1@demo.bourse', scene: 'forget' })).key).toBe(
    'code.sent',
  );
  await eventually(() => mails.length > before);
  expect(mails.slice(before).every((mail) => mail.includes('trader1@demo.bourse'))).toBe(true);
});

test('a short message is sent to the whole number, and retried when the provider fails [AUTH-024]', async () => {
  refusals = 1;
  expect(
    (await auth.post('/api/sms_send', { user_string: '912345678', area_code: '351', scene: 'register' })).key,
  ).toBe('code.sent');
  await eventually(() => messages.length === 1, 15_000);
  expect(messages[0]).toEqual({
    to: '+351912345678',
    text: expect.stringContaining(await auth.code('912345678', 'register')),
  });
});
