import { generateSync } from 'otplib';
import type { PersonFact } from '@bourse/events';
import { authAsks } from '@bourse/messaging';
import type { Caller } from '@bourse/platform';
import type { Answered, AuthProcess, Device } from './auth-process.js';

export const PASSWORD = 'Harbor-2468';
export const FUND = 'fund66';

export interface Someone {
  readonly account: string;
  readonly id: number;
  readonly token: string;
  readonly caller: Caller;
}
/** Actions of people on one running auth, shared by several tests. */
export interface People {
  login(account: string, password?: string, more?: Record<string, string>, device?: Device): Promise<Answered>;
  callerOf(token: unknown): Promise<Caller | null>;
  signedIn(account: string, device?: Device): Promise<Someone>;
  /** Somebody new, signed in. */
  register(): Promise<Someone>;
  /** Sets the first fund password. */
  setFund(someone: Someone): Promise<void>;
  /** The record as the edge would have it now. */
  fresh(someone: Someone): Promise<Caller>;
  codeFor(to: string, scene: string, caller?: Caller): Promise<string>;
  /** A code of a pause ago: the next one may be sent at once. */
  forgetPause(): Promise<unknown>;
  /** The texts of all letters to somebody, newest first. */
  letters(to: string, scene: string): Promise<string[]>;
  /** An image that the gateway would have; its address as the upload answered it. */
  upload(userId: number, scene: string): string;
}

let count = 0;
export function peopleOf(auth: () => AuthProcess): People {
  const people: People = {
    login: (account, password = PASSWORD, more = {}, device = {}) =>
      auth().post('/api/user/login', { user_string: account, password, ...more }, device),
    callerOf: (token) => auth().asks.ask(authAsks.session, { token: String(token) }),
    async signedIn(account, device = {}) {
      const { message, id } = await people.login(account, PASSWORD, {}, device);
      const caller = await people.callerOf(message);
      if (!caller) throw new Error(`${account} has no session: ${JSON.stringify(message)}`);
      return { account, id: id as number, token: message as string, caller };
    },
    async register() {
      const account = `some${(count += 1)}@example.org`;
      const code = await people.codeFor(account, 'register');
      const answer = await auth().post('/api/user/register', {
        type: 'email',
        user_string: account,
        code,
        password: PASSWORD,
        re_password: PASSWORD,
      });
      if (answer.type !== 'ok') throw new Error(JSON.stringify(answer));
      return people.signedIn(account);
    },
    async setFund({ account, caller }) {
      const code = await people.codeFor(account, 'fund', caller);
      const answer = await auth().post(
        '/api/safe/update_password',
        { password: FUND, re_password: FUND, code },
        { caller },
      );
      if (answer.key !== 'fund.saved') throw new Error(JSON.stringify(answer));
    },
    async fresh({ id, caller }) {
      const now = await auth().asks.ask(authAsks.caller, { userId: id });
      if (!now) throw new Error(`no caller ${id}`);
      return { ...now, sessionId: caller.sessionId };
    },
    async codeFor(to, scene, caller) {
      const mobile = /^\d+$/.test(to);
      const answer = await auth().post(
        mobile ? '/api/sms_send' : '/api/sms_mail',
        { user_string: to, scene },
        caller ? { caller } : {},
      );
      if (answer.key !== 'code.sent') throw new Error(JSON.stringify(answer));
      return auth().code(to, scene);
    },
    forgetPause: () => auth().databases.query(`update auth.code set created_at = created_at - interval '2 minutes'`),
    async letters(to, scene) {
      const found = await auth().asks.ask(authAsks.outbox, { to, scene, limit: 100 });
      return found.map(({ text }) => text);
    },
    upload(userId, scene) {
      const name = `picture_${scene}_${String((count += 1)).padStart(16, '0')}.png`;
      auth().uploads.set(name, { userId, scene });
      return `/api/upload/${name}?e=1&s=x`;
    },
  };
  return people;
}

const firstSteps = new Map<string, number>();
/**
 * An authenticator of one secret. Steps are used once, so each next code is of the step after. All steps count from the
 * secret's first code, not from now: a step of thirty seconds that ends within a test would make a used code a new one.
 */
export function codeOf(secret: string, stepsAhead = 0): string {
  const first = firstSteps.get(secret) ?? Math.floor(Date.now() / 1_000);
  firstSteps.set(secret, first);
  return generateSync({ secret, epoch: first + 30 * stepsAhead });
}
export const otherThan = (right: string): string => (right === '000000' ? '111111' : '000000');
/** Session news to one person's gateways, while the test listens. */
export function heard(auth: AuthProcess, userId: number): { readonly ended: unknown[]; stop(): void } {
  const ended: unknown[] = [];
  return {
    ended,
    stop: auth.views.subscribe(`session/${userId}`, (news: { ended: unknown }) => {
      ended.push(news.ended);
    }),
  };
}

/** The facts about a person published to the other services, in order. */
export async function factsOf({ databases }: AuthProcess, userId: number): Promise<PersonFact[]> {
  const rows = await databases.query<{ payload: string }>(
    `select payload from auth.outbox where topic = 'people.facts' order by stream, number`,
  );
  return rows
    .flatMap(({ payload }) => (JSON.parse(payload) as { body: PersonFact }[]).map(({ body }) => body))
    .filter((fact) => fact.userId === userId);
}
