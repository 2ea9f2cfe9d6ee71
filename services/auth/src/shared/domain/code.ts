/** Scenes for which people may request a code; a code is valid in its own scene only. */
export const SCENES = ['login', 'register', 'forget', 'bind', 'fund'] as const;
/** `draw_address` belongs to the binding of withdrawal addresses: the wallet requests it. */
export type Scene = (typeof SCENES)[number] | 'draw_address';

/** Codes have 6 digits, live 5 minutes of real time and bear 5 tries (rules §12, §13). */
export const CODE = { digits: 6, lifeMs: 5 * 60_000, tries: 5 } as const;
/** Codes per account and per network address; multiplied by RATE_SCALE (api §6.2). */
const CODE_LIMITS = { accountHour: 5, accountDay: 10, networkHour: 20 } as const;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Pause before the next code to the same account and scene, seconds; never scaled. */
export const resendPauseSeconds = (scene: Scene): number => PAUSE_SECONDS[scene] ?? 60;
const PAUSE_SECONDS: Partial<Record<Scene, number>> = { forget: 31, draw_address: 30 };

/** Codes sent before; `lastAt` is the time of the last code of this account and scene, ms. */
export interface Sent {
  readonly lastAt: number | null;
  readonly accountHour: number;
  readonly accountDay: number;
  readonly networkHour: number;
}

/** Whether another code may be sent now. */
export function mayResend(
  sent: Sent,
  scene: Scene,
  now: number,
  rateScale: number,
):
  | { readonly ok: true }
  | { readonly ok: false; readonly key: 'code.tooSoon'; readonly seconds: number }
  | { readonly ok: false; readonly key: 'code.tooMany' } {
  const until = sent.lastAt === null ? now : sent.lastAt + resendPauseSeconds(scene) * 1_000;
  if (until > now) return { ok: false, key: 'code.tooSoon', seconds: Math.ceil((until - now) / 1_000) };
  const over =
    sent.accountHour >= CODE_LIMITS.accountHour * rateScale ||
    sent.accountDay >= CODE_LIMITS.accountDay * rateScale ||
    sent.networkHour >= CODE_LIMITS.networkHour * rateScale;
  return over ? { ok: false, key: 'code.tooMany' } : { ok: true };
}
