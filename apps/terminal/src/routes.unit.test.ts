import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { hasScreen, sameScreen } from './paths.js';
import { ACCOUNT_GROUPS } from './app/account-groups.js';
import { ROUTES } from './routes.js';

const texts = (area: string): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../../../libs/i18n/src/bundles/en/${area}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

describe('the table of screens', () => {
  test('has every address once, and the screens of spot trading among them [TERM-001]', () => {
    const paths = ROUTES.map(({ path }) => path);
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
    for (const path of [
      '/',
      '/allmarket',
      '/dealCenter',
      '/components/login',
      '/register',
      '/forgetPwd',
      '/bindmpwd',
      '/noticeList',
      '/noticeDetail',
      '/finance',
      '/account/accountEntrust',
      '/accountEntrust',
    ])
      expect([path, hasScreen(path)]).toEqual([path, true]);
    expect([hasScreen('/dealCenter?legalId=3'), hasScreen('/no-such-screen')]).toEqual([true, false]);
  });

  test('draws a screen of every feature [TERM-001]', () => {
    const source = readFileSync(new URL('./routes.ts', import.meta.url), 'utf8');
    const features = new URL('./features/', import.meta.url);
    const unseen = readdirSync(features).filter(
      (name) => existsSync(new URL(`${name}/ui`, features)) && !source.includes(`import('./features/${name}/`),
    );
    expect(unseen).toEqual([]);
  });

  test('gives each screen a title that its texts hold [TERM-001]', () => {
    for (const { path, title, areas } of ROUTES)
      expect([path, ['core', ...areas].some((area) => title in texts(area))]).toEqual([path, true]);
  });

  test('requires a session where the screen shows personal data [TERM-002]', () => {
    for (const { path, guard } of ROUTES)
      if (
        /^\/(new_)?account\//.test(path) ||
        ['/bindmpwd', '/setCash', '/finance', '/authentication', '/transferLog'].includes(path)
      )
        expect([path, guard === 'open' || guard === 'points']).toEqual([path, false]);
  });

  test('draws each screen of the account menu with that menu beside it [TERM-009]', () => {
    const layouts = new Map(ROUTES.map(({ path, layout }) => [path, layout]));
    for (const { path } of ACCOUNT_GROUPS.flatMap(({ links }) => links))
      expect([path, ['account', 'member'].includes(layouts.get(path) ?? '')]).toEqual([path, true]);
  });

  test('knows which addresses are twins [TERM-001]', () => {
    expect([
      sameScreen('/account', '/account/accountCenter'),
      sameScreen('/authentication', '/account/authentication'),
      sameScreen('/finance', '/authentication'),
      sameScreen('/nowhere', '/elsewhere'),
    ]).toEqual([true, true, false, false]);
  });

  test('has the account screens of the contract, nested and alone [TERM-001]', () => {
    for (const path of [
      '/account',
      '/account/accountCenter',
      '/account/accountSet',
      '/accountSet',
      '/authentication',
      '/account/authentication',
      '/account/bankAuthentication',
      '/account/region',
      '/account/accountMessage',
      '/msgList',
      '/msgDetail',
      '/userSetting',
      '/bindEmail',
      '/bindmpwd',
      '/setCash',
      '/forgetPwd',
      '/resetPwd',
    ])
      expect([path, hasScreen(path)]).toEqual([path, true]);
  });
});
