import { expect, test } from '@jest/globals';
import { readEmail, readMobile } from '../../shared/domain/account-name.js';
import { BackgroundMailer } from '../../shared/delivery/background-mailer.js';
import { SendCode } from './send-code.js';

const ORIGIN = { ip: '192.0.2.1', agent: '', device: null, lang: 'en' } as const;
const mailerOf = (dev: boolean, email: object | null, mobile: object | null): BackgroundMailer =>
  new BackgroundMailer({ dev } as never, { email, mobile } as never, {} as never, {} as never);
const sendBy = (mailer: BackgroundMailer): SendCode => {
  // The delivery of the code is checked first: no other dependency is called.
  const nothing = {} as never;
  return new SendCode(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, mailer);
};

test('a code is refused by name where no provider brings such messages [HARD-503]', async () => {
  const names = [readEmail('anna@example.org'), readMobile('2025550123', '1')];
  for (const name of names) {
    if (!name) throw new Error('no account name');
    for (const scene of ['register', 'login', 'forget', 'bind', 'fund', 'draw_address'] as const)
      await expect(sendBy(mailerOf(false, null, null)).execute(name, scene, null, ORIGIN)).rejects.toMatchObject({
        key: 'code.noChannel',
      });
  }
});

test('each way reaches people where it has a provider, and on a demo install by its inbox [HARD-503]', () => {
  const reached = (mailer: BackgroundMailer): boolean[] => [mailer.reaches('email'), mailer.reaches('mobile')];
  expect(reached(mailerOf(false, {}, null))).toEqual([true, false]);
  expect(reached(mailerOf(false, null, {}))).toEqual([false, true]);
  expect(reached(mailerOf(true, null, null))).toEqual([true, true]);
});
