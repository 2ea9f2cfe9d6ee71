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
