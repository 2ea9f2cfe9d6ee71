import { mayDo } from '../core/operator.js';
import { GROUPS, type Group } from '../paths.js';
import { ROUTES, type Route } from '../routes.js';

/** The sidebar of an operator with these roles: groups that have a screen for them, in their order. */
export function sidebarOf(roles: readonly string[]): readonly { readonly group: Group; readonly routes: Route[] }[] {
  return GROUPS.map((group) => ({
    group,
    routes: ROUTES.filter((route) => route.group === group && mayDo(roles, route.role)),
  })).filter(({ routes }) => routes.length > 0);
}
