import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SmtpProvider, InvalidAddress } from './delivery-providers.js';

/** A mail server that accepts everything and records the recipients. */
const recipients: string[] = [];
let server: Server;
let carrier: SmtpProvider;
beforeAll(async () => {
  server = createServer((socket) => {
    let inData = false;
    socket.write('220 test\r\n');
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        if (inData) {
          if (line === '.') {
            inData = false;
            socket.write('250 taken\r\n');
          } else if (/^to:/i.test(line)) recipients.push(line);
        } else if (/^DATA/i.test(line)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else {
          if (/^RCPT/i.test(line)) recipients.push(line);
          socket.write('250 yes\r\n');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  carrier = new SmtpProvider(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, 'bourse@example.org');
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});
const carry = (address: string): Promise<void> =>
  carrier.deliver({
    name: { kind: 'email', key: `email:${address}`, typedKey: `email:${address}`, address },
    subject: 'Code',
    text: '123456',
  });

describe('a mail [HARD-205]', () => {
  test('goes to one mailbox', async () => {
    await carry("o'neil+a/b=c@mail.example.org");
    expect(recipients).toEqual(["RCPT TO:<o'neil+a/b=c@mail.example.org>", "To: o'neil+a/b=c@mail.example.org"]);
  });

  test('to an internationalised domain is sent to its IDNA form [CLIENT-205]', async () => {
    recipients.length = 0;
    await carry('anna@bücher.example');
    expect(recipients[0]).toBe('RCPT TO:<anna@xn--bcher-kva.example>');
  });

  test.each([
    'a0,victim@bank.example',
    '<victim@bank.example>',
    'g:victim@bank.example;',
    'a <victim@bank.example>',
    '"x"@bank.example',
    'vic\u200btim@bank.example',
  ])('to %j, as an older account may be named, is not sent to anybody', async (address) => {
    recipients.length = 0;
    await expect(carry(address)).rejects.toBeInstanceOf(InvalidAddress);
    expect(recipients).toEqual([]);
  });
});
