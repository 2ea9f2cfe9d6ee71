import type { UserInfo } from '@bourse/contract';
import { hasScreen } from '../paths.js';

/** Conditions of the person under which a link is shown. */
type Condition = 'signedIn' | 'guest' | 'seller' | 'acceptor' | 'agent' | 'pointsMember' | 'newcomer';
/** The person at the screen, as links check them. */
export interface Viewer {
  readonly signedIn: boolean;
  readonly info:
    | Pick<UserInfo, 'is_seller' | 'is_acceptor' | 'is_region' | 'type' | 'review_status' | 'has_fund_password'>
    | undefined;
}
const HOLDS: Readonly<Record<Condition, (viewer: Viewer) => boolean>> = {
  signedIn: ({ signedIn }) => signedIn,
  guest: ({ signedIn }) => !signedIn,
  seller: ({ info }) => info?.is_seller === 1,
  acceptor: ({ info }) => info?.is_acceptor === 1,
  agent: ({ info }) => info?.is_region === 1,
  pointsMember: ({ info }) => info?.type === 1,
  newcomer: ({ info }) => info !== undefined && (info.review_status !== 2 || info.has_fund_password !== 1),
};

export interface NavLinkEntry {
  readonly path: string;
  readonly text: string;
  /** Shown to those for whom it holds; to all without one. */
  readonly when?: Condition;
}
/** Links that belong together, under a heading where the menu has room for one. */
export interface NavGroup {
  readonly text: string;
  readonly links: readonly NavLinkEntry[];
}

/** Links of the header, in order. Only those whose screens exist are shown, here as everywhere. */
export const MAIN_LINKS: readonly NavLinkEntry[] = [
  { path: '/allmarket', text: 'nav.markets' },
  { path: '/dealCenter', text: 'nav.spot' },
  { path: '/leverdealCenter', text: 'nav.leverage' },
  { path: '/secondsOrder', text: 'nav.micro' },
  { path: '/c2cTrade', text: 'nav.c2c', when: 'signedIn' },
  { path: '/legalTrade', text: 'nav.fiat' },
  { path: '/manage', text: 'nav.savings' },
  { path: '/practice', text: 'nav.practice' },
  { path: '/finance', text: 'nav.assets', when: 'signedIn' },
];
/** The ways in, for those who are not. */
export const GUEST_LINKS: readonly NavLinkEntry[] = [
  { path: '/components/login', text: 'nav.login', when: 'guest' },
  { path: '/register', text: 'nav.register', when: 'guest' },
];
/** Links to help, in the header and on phones. */
export const HELP_LINKS: readonly NavLinkEntry[] = [
  { path: '/help', text: 'nav.help' },
  { path: '/complaints', text: 'nav.complaints' },
  { path: '/preferences', text: 'nav.preferences', when: 'guest' },
];
/** Bottom navigation of phones. */
export const PHONE_LINKS: readonly NavLinkEntry[] = [
  { path: '/', text: 'nav.home' },
  { path: '/allmarket', text: 'nav.markets' },
  { path: '/dealCenter', text: 'nav.trade' },
  { path: '/c2cTrade', text: 'nav.c2c' },
  { path: '/finance', text: 'nav.assets' },
];

/** Links whose screens exist and whose condition holds. */
export const shown = (links: readonly NavLinkEntry[], viewer: Viewer): NavLinkEntry[] =>
  links.filter(({ path, when }) => hasScreen(path) && (when === undefined || HOLDS[when](viewer)));

/** Groups with what is shown of them; a group without a link is left out. */
export const shownGroups = (groups: readonly NavGroup[], viewer: Viewer): NavGroup[] =>
  groups.map((group) => ({ ...group, links: shown(group.links, viewer) })).filter((group) => group.links.length > 0);
