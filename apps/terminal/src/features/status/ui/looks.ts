import {
  Ban,
  CircleAlert,
  CircleCheck,
  CirclePause,
  DatabaseZap,
  LoaderCircle,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { State, Whole } from '../model/status.js';

/** How a state looks: a sign and a colour; the word is beside it, so that neither is needed. */
export interface Look {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly edge: string;
}
const GOOD: Look = { icon: CircleCheck, text: 'text-up', edge: 'border-up' };
const CARE: Look = { icon: CircleAlert, text: 'text-warn', edge: 'border-warn' };
const REST: Look = { icon: CirclePause, text: 'text-warn', edge: 'border-warn' };
const BAD: Look = { icon: Ban, text: 'text-down', edge: 'border-down' };

export const STATE_LOOKS: Readonly<Record<State, Look>> = { normal: GOOD, part: CARE, cancel_only: REST, halted: BAD };
export const WHOLE_LOOKS: Readonly<Record<Whole | 'unable' | 'silent', Look>> = {
  open: GOOD,
  part: CARE,
  stopped: BAD,
  alarm: { ...BAD, icon: CircleAlert },
  database: { ...BAD, icon: DatabaseZap },
  starting: { ...CARE, icon: LoaderCircle },
  unable: BAD,
  silent: { ...BAD, icon: Unplug },
};

const PRODUCT_TEXT: Readonly<Record<string, string>> = {
  spot: 'nav.spot',
  lever: 'nav.leverage',
  micro: 'nav.micro',
  c2c: 'nav.c2c',
  withdraw: 'state.withdrawals',
  savings: 'nav.savings',
  points: 'nav.points',
};
/** The key of a product's name; an unknown one keeps the name of its breaker. */
export const productText = (name: string): string => PRODUCT_TEXT[name] ?? name;
