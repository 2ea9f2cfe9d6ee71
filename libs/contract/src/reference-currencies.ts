/** Currencies that a person may choose for approximate values (api §2.1, §2.4). */
export const REFERENCE_CURRENCIES = ['USD', 'EUR', 'CNY', 'JPY', 'GBP', 'BRL', 'TRY', 'BTC'] as const;
export type ReferenceCurrency = (typeof REFERENCE_CURRENCIES)[number];
