/* Users who register below the traders of `TradingLog`, each below the previous one. */
import { call, settled, type Body } from './trading-log.js';
import type { Attempt } from './trading-deals.js';

const PASSWORD = 'Harbor-2468';
/** Greatest length of a line of invitations; the next one begins below the trader. */
const LINE_MAX = 5;
const MEMBERS_PER_RUN = 12;

interface Place {
  readonly id: number;
  readonly code: string;
}
/** A registration: the user, the inviter, and the outcome. */
interface Member {
  readonly account: string;
  readonly inviter: Place;
  outcome: 'ok' | 'refused' | 'unknown';
  id?: number;
}

/** Registrations on an exchange that is being killed: every registered user is in the team once, below the inviter. */
export class TradingTeam {
  private readonly members: Member[] = [];
  private root: Place | undefined;
  private line: Place[] = [];
  private busy = false;

  constructor(
    private readonly url: string,
    private readonly attempt: Attempt,
    /** Session of the trader at the top. */
    private readonly token: string,
    private readonly name: string,
  ) {}

  /** Looks up the trader's invite code, before anything breaks. @throws if it is missing. */
  async begin(): Promise<void> {
    this.root = await this.placeOf(this.token);
  }

  /** Registers one more, unless one is just under way. */
  async register(): Promise<void> {
    if (this.busy || !this.root || this.members.length >= MEMBERS_PER_RUN) return;
    this.busy = true;
    try {
      const account = `${this.name}-m${this.members.length + 1}@example.org`;
      const code = await this.codeFor(account);
      if (code === null) return;
      if (this.line.length >= LINE_MAX) this.line = [];
      const member: Member = { account, inviter: this.line.at(-1) ?? this.root, outcome: 'unknown' };
      this.members.push(member);
      const answer = await this.attempt(
        'POST',
        '/api/user/register',
        {
          type: 'email',
          user_string: account,
          code,
          password: PASSWORD,
          re_password: PASSWORD,
          extension_code: member.inviter.code,
        },
        '',
      );
      if (!isFinal(answer)) return;
      member.outcome = answer.type === 'ok' ? 'ok' : 'refused';
      if (answer.type !== 'ok') return;
      member.id = Number(answer.id);
      await this.goOnBelow(account);
    } finally {
      this.busy = false;
    }
  }

  /** Every member that is in no team, in another one, or twice; as sentences. */
  async disagreements(): Promise<string[]> {
    const found: string[] = [];
    for (const member of this.members) {
      if (member.outcome === 'unknown') await this.resolve(member);
      if (member.outcome !== 'ok') continue;
      const { account, id, inviter } = member;
      const times = await settled(
        async () => (await this.below(inviter.id)).filter((one) => one === id).length,
        (count) => count === 1,
      );
      if (times !== 1) found.push(`${account} (${id}): is ${times} times below ${inviter.id}, who invited them`);
    }
    return found;
  }

  private async goOnBelow(account: string): Promise<void> {
    const session = await this.attempt('POST', '/api/user/login', { user_string: account, password: PASSWORD }, '');
    if (session?.type !== 'ok') return;
    const told = await this.attempt('GET', '/api/user/info', {}, session.message as string);
    if (told?.type === 'ok') this.line.push(placeIn(told));
  }

  /** Returns the sent code; null if none was sent, and no user registers. */
  private async codeFor(account: string): Promise<string | null> {
    const sent = await this.attempt('POST', '/api/sms_mail', { user_string: account, scene: 'register' }, '');
    if (sent?.type !== 'ok') return null;
    const inbox = await this.attempt('GET', '/dev/inbox', { to: account, scene: 'register', limit: '1' }, '');
    if (inbox?.type !== 'ok') return null;
    return (inbox.message as readonly { readonly code: string }[])[0]?.code ?? null;
  }

  /** A user who can sign in is registered; one who cannot is not, and never will be. */
  private async resolve(member: Member): Promise<void> {
    const session = await settled(
      () => call(this.url, 'POST', '/api/user/login', { user_string: member.account, password: PASSWORD }),
      isFinal,
      30_000,
    );
    member.outcome = session.type === 'ok' ? 'ok' : 'refused';
    if (session.type === 'ok') member.id = (await this.placeOf(session.message as string)).id;
  }

  private async placeOf(token: string): Promise<Place> {
    const told = await settled(
      () => call(this.url, 'GET', '/api/user/info', {}, token),
      ({ type }) => type === 'ok',
    );
    if (told.type !== 'ok') throw new Error(`user/info: ${told.key}`);
    return placeIn(told);
  }

  /** Ids of the direct members below a user of the trader's team. */
  private async below(id: number): Promise<readonly number[]> {
    const { type, key, message } = await call(this.url, 'POST', '/api/getNode', { user_id: String(id) }, this.token);
    if (type !== 'ok') throw new Error(`getNode: ${key}`);
    return (message as { readonly results: readonly { readonly id: number }[] }).results.map((node) => node.id);
  }
}

const placeIn = ({ message }: Body): Place => {
  const { id, extension_code: code } = message as { readonly id: number; readonly extension_code: string };
  return { id, code };
};

/** A final answer: neither open nor "ask again". */
const isFinal = (answer: Body | null): answer is Body =>
  answer !== null &&
  answer.type !== 'pending' &&
  !['common.unavailable', 'common.defect', 'common.paused', 'common.processing'].includes(answer.key ?? '');
