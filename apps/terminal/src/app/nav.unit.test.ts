import { expect, test } from '@jest/globals';
import { hasScreen } from '../paths.js';
import { ACCOUNT_GROUPS } from './account-groups.js';
import { GUEST_LINKS, MAIN_LINKS, shown, shownGroups } from './nav.js';
import type { NavGroup, Viewer } from './nav.js';
import { USER_LINKS } from './user-nav.js';

const NOBODY = {
  is_seller: 0,
  is_acceptor: 0,
  is_region: 0,
  type: 0,
  review_status: 2,
  has_fund_password: 1,
} as const;
const guest: Viewer = { signedIn: false, info: undefined };
const person: Viewer = { signedIn: true, info: NOBODY };
const agent: Viewer = { signedIn: true, info: { ...NOBODY, is_region: 1 } };
const paths = (groups: readonly NavGroup[]): string[] => groups.flatMap(({ links }) => links.map(({ path }) => path));

test('a link is shown where its screen exists and its condition holds [TERM-007]', () => {
  expect(shown(MAIN_LINKS, guest).map(({ path }) => path)).not.toContain('/finance');
  expect(shown(MAIN_LINKS, person).map(({ path }) => path)).toContain('/finance');
  expect(paths(shownGroups(ACCOUNT_GROUPS, person))).not.toContain('/account/region');
  expect(paths(shownGroups(ACCOUNT_GROUPS, agent))).toContain('/account/region');
  const all = [...ACCOUNT_GROUPS.flatMap(({ links }) => links), ...USER_LINKS];
  expect(all.filter(({ path }) => !hasScreen(path))).toEqual([]);
});

test('points for members alone, a shop for sellers, the ways in for guests [TERM-007]', () => {
  const menu = (info: Partial<NonNullable<Viewer['info']>>): string[] =>
    shown(USER_LINKS, { signedIn: true, info: { ...NOBODY, ...info } }).map(({ path }) => path);
  expect(menu({})).toEqual(expect.not.arrayContaining(['/account/integralExchange', '/myLegalShops']));
  expect(menu({ type: 1 })).toContain('/account/integralExchange');
  expect(menu({ is_seller: 1 })).toContain('/myLegalShops');
  expect(menu({})).toEqual(
    expect.arrayContaining(['/account/accountSet', '/account/transferLog', '/account/authentication']),
  );
  expect(shown(GUEST_LINKS, guest).map(({ path }) => path)).toEqual(['/components/login', '/register']);
  expect(shown(GUEST_LINKS, person)).toEqual([]);
});

test('the menu offers the first steps until papers are accepted and a fund password is set [TERM-007]', () => {
  const menu = (info: Partial<NonNullable<Viewer['info']>>): boolean =>
    paths(shownGroups(ACCOUNT_GROUPS, { signedIn: true, info: { ...NOBODY, ...info } })).includes(
      '/account/firstSteps',
    );
  expect([menu({ review_status: 1 }), menu({ has_fund_password: 0 }), menu({})]).toEqual([true, true, false]);
});

test('no menu has a link twice or an empty group [TERM-007]', () => {
  for (const all of [paths(ACCOUNT_GROUPS), USER_LINKS.map(({ path }) => path)])
    expect(all.filter((path, at) => all.indexOf(path) !== at)).toEqual([]);
  const seller: readonly NavGroup[] = [{ text: 'nav.shop', links: [{ path: '/finance', text: 'x', when: 'seller' }] }];
  expect(shownGroups(seller, person)).toEqual([]);
});
