import type { ApiKeyRow, Center, UserInfo } from '@bourse/contract';

export type LevelName = 'low' | 'middle' | 'high' | 'strong';
/** Names of the levels (rules §16): 50 middle, 75 high, 100 strong. */
export const levelName = (level: Center['security_level']): LevelName =>
  level >= 100 ? 'strong' : level >= 75 ? 'high' : level >= 50 ? 'middle' : 'low';

/** Whether an account is protected well: from the level `high` on. */
export const isWellProtected = (level: Center['security_level']): boolean => level >= 75;

/** Texts of the states of an identity, by `review_status`. */
export const IDENTITY_TEXTS = ['identity.none', 'identity.review', 'identity.certified'] as const;

export interface Step {
  readonly id: 'start' | 'phone' | 'email' | 'identity';
  readonly done: boolean;
}
/** The parts of the level: 25 to start with, and 25 each for phone, e-mail and identity. */
export const steps = (info: Pick<UserInfo, 'phone' | 'email'>, center: Pick<Center, 'review_status'>): Step[] => [
  { id: 'start', done: true },
  { id: 'phone', done: info.phone !== '' },
  { id: 'email', done: info.email !== '' },
  { id: 'identity', done: center.review_status === 2 },
];

/** Address of the registration that carries an invitation code. */
export const inviteLink = (origin: string, code: string): string =>
  `${origin}/register?extension_code=${encodeURIComponent(code)}`;

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
const first = (list: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1];

/**
 * A device as its owner would call it; other programs keep the start of what they call themselves. Empty when they say
 * nothing.
 */
export function deviceName(agent: string): string {
  const browser = first(BROWSERS, agent);
  const system = first(SYSTEMS, agent);
  return browser ? (system ? `${browser}, ${system}` : browser) : agent.slice(0, 40);
}

/** Whether a key may place orders, besides reading. */
export const mayTrade = ({ permissions }: Pick<ApiKeyRow, 'permissions'>): boolean => permissions === 'read,trade';
