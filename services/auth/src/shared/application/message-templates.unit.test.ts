import { describe, expect, test } from '@jest/globals';
import type { UserNotices } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { MessageTemplates, type AccountNotice } from './message-templates.js';
import type { Mailer, MailMessage } from './ports/mailer.js';
import type { Person } from './ports/people.js';
import type { Seal } from './ports/seal.js';

const PERSON = { id: 7, email: 'a@b.example', phone: '5550100', areaCode: '1', lang: 'en' } as Person;

/** Letters and personal notices that the work has sent. */
async function told(work: (templates: MessageTemplates, tx: Tx) => Promise<void>) {
  const notices: UserNotices['notices'][number][] = [];
  const letters: MailMessage[] = [];
  const tx = {
    emit: (_: string, __: number, { body }: { body: UserNotices }) => notices.push(...body.notices),
  } as unknown as Tx;
  const post = { send: async (_: Tx, letter: MailMessage) => void letters.push(letter) } as unknown as Mailer;
  const clock = { now: () => 1_000, sessions: () => 1_000 } as unknown as Clock;
  await work(new MessageTemplates(post, {} as Seal, clock), tx);
  return { notices, letters };
}

describe('a change of an account sends one personal notice, however many letters it sends', () => {
  test.each<[AccountNotice, string, object, string]>([
    ['password', 'passwordChanged', {}, '/account/accountSet'],
    ['totpOn', 'authenticatorChanged', {}, '/account/accountSet'],
    ['totpOff', 'authenticatorChanged', {}, '/account/accountSet'],
    ['totpReset', 'authenticatorChanged', {}, '/account/accountSet'],
    ['passkeyOn', 'passkeyChanged', {}, '/account/accountSet'],
    ['passkeyOff', 'passkeyChanged', {}, '/account/accountSet'],
    ['passkeysReset', 'passkeyChanged', {}, '/account/accountSet'],
    ['frozen', 'accountFrozen', {}, '/account/accountSet'],
    ['frozenPart', 'accountFrozen', {}, '/account/accountSet'],
    ['unfrozen', 'accountUnfrozen', {}, '/account/accountSet'],
    ['device', 'newDevice', { time: '2026-01-01 00:00:00', address: '192.0.2.7' }, '/account/accountSet'],
    ['kycPassed', 'identityPassed', {}, '/account/authentication'],
    ['kycRefused', 'identityRejected', { reason: 'blurred' }, '/account/authentication'],
  ])('%s [NOTICE-036]', async (news, kind, params, link) => {
    const texts = { time: '2026-01-01 00:00:00', ip: '192.0.2.7', reason: 'blurred' };
    const { notices, letters } = await told((templates, tx) => templates.notifyEverywhere(tx, PERSON, news, texts));
    expect(letters).toHaveLength(2);
    expect(notices).toEqual([
      { userId: 7, id: expect.stringMatching(`^auth:${news}:`), kind, params, link, at: 1_000 },
    ]);
    const one = await told((templates, tx) => templates.notify(tx, PERSON, news, texts));
    expect([one.letters.length, one.notices.map((notice) => notice.kind)]).toEqual([1, [kind]]);
  });

  test('has a new id for each change, so that a second change is notified too [NOTICE-036]', async () => {
    const { notices } = await told(async (templates, tx) => {
      await templates.notify(tx, PERSON, 'password');
      await templates.notify(tx, PERSON, 'password');
    });
    expect(new Set(notices.map(({ id }) => id)).size).toBe(2);
  });

  test('all other events are sent as letters only [NOTICE-036]', async () => {
    const { notices, letters } = await told((templates, tx) => templates.notify(tx, PERSON, 'fund'));
    expect([notices, letters.length]).toEqual([[], 1]);
  });
});
