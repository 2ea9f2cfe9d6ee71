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
export interface StateStyle {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly edge: string;
}
const GOOD: StateStyle = { icon: CircleCheck, text: 'text-up', edge: 'border-up' };
const CARE: StateStyle = { icon: CircleAlert, text: 'text-warn', edge: 'border-warn' };
const REST: StateStyle = { icon: CirclePause, text: 'text-warn', edge: 'border-warn' };
const BAD: StateStyle = { icon: Ban, text: 'text-down', edge: 'border-down' };

export const STATE_STYLES: Readonly<Record<State, StateStyle>> = {
  normal: GOOD,
  part: CARE,
  cancel_only: REST,
  halted: BAD,
};
export const WHOLE_STYLES: Readonly<Record<Whole | 'unable' | 'silent', StateStyle>> = {
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
