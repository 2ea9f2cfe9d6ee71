import type { ComponentType } from 'react';
import type { Area } from '@bourse/i18n';

export type Layout = 'public' | 'terminal' | 'account' | 'bare';
/** `open` anyone; `user` needs a token and leads to the sign-in without one. */
export type Guard = 'open' | 'user';
export interface RouteEntry {
  /** Address as the contract names it (api §5). Several addresses may show one screen: one line each. */
  readonly path: string;
  readonly layout: Layout;
  readonly guard: Guard;
  /** Code of the screen; its module exports the component as default. */
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Text of the window title. */
  readonly title: string;
  /** Texts the screen needs besides `core`. */
  readonly areas: readonly Area[];
}

const spot = () => import('./features/spot/ui/deal-centre.js');
const entrust = () => import('./features/spot/ui/entrust-list.js');

/** The one table of screens: the router, the guards, the menus (which show what stands here) and the tests walk it. */
export const ROUTES: readonly RouteEntry[] = [
  { path: '/dealCenter', layout: 'terminal', guard: 'open', load: spot, title: 'title.spot', areas: ['trade'] },
  { path: '/account/accountEntrust', layout: 'account', guard: 'user', load: entrust, title: 'title.entrust', areas: ['trade'] },
  { path: '/accountEntrust', layout: 'account', guard: 'user', load: entrust, title: 'title.entrust', areas: ['trade'] },
];

const PATHS = new Set(ROUTES.map((route) => route.path));
/** Whether a screen exists at this address: menus show nothing else. */
export const hasScreen = (address: string): boolean => PATHS.has(address.split('?')[0] ?? '');
