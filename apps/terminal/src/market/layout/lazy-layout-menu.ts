import { lazyScreen } from '@bourse/web';

/** The layout menu, loaded after the desk. */
export const LayoutMenu = lazyScreen(async () => ({ default: (await import('./layout-menu.js')).LayoutMenu }));
