/* Calls with several items (api §2.3): the largest number of items, and how rates count them. */

/** Items of one call. */
export const ITEMS_MAX = 20;
/** Fields that hold a list: the only ones that a JSON body may nest. */
export const LIST_FIELDS: ReadonlySet<string> = new Set(['items', 'ids', 'client_order_ids', 'favourites']);
/** The operation of one item in a batch of orders. */
export const ORDER_OPS = ['place', 'oco', 'amend', 'cancel'] as const;
export type OrderOp = (typeof ORDER_OPS)[number];

/** How the items of a call count against its rates: `orders` of a batch by what each does, `names` by their number. */
export type CountedItems = 'orders' | 'names';

/** How many calls each class of rates counts for a call with these fields: at least one in total. */
export function itemRates(
  counted: CountedItems,
  fields: Readonly<Record<string, string | undefined>>,
): { readonly order: number; readonly cancel: number } {
  if (counted === 'names')
    return { order: 0, cancel: Math.max(1, countNames(fields['ids']) + countNames(fields['client_order_ids'])) };
  const items = listOf(fields['items']);
  const cancels = items.filter((item) => (item as { op?: unknown } | null)?.op === 'cancel').length;
  const orders = items.length - cancels;
  return { order: items.length === 0 ? 1 : orders, cancel: cancels };
}

/** The number of names in a field: a list in JSON, or names by commas as a form sends them. */
function countNames(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  return text.startsWith('[') ? listOf(text).length : text.split(',').length;
}
/** The list of a field in JSON. One that cannot be read counts as empty: the call is refused for it later. */
function listOf(text: string | undefined): readonly unknown[] {
  try {
    const list = JSON.parse(text ?? '[]') as unknown;
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
