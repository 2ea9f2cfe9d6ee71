import { lazyScreen } from '@bourse/web';

/** Details of an order, loaded when the first are opened. */
export const OrderDetail = lazyScreen(async () => ({ default: (await import('./order-detail.js')).OrderDetail }));
