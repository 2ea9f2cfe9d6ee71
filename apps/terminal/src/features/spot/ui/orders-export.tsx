import type { QuotationItem } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { knownServerNow } from '../../../core/server-time.js';
import { ExportButton } from '../../../parts/export-button.js';
import { ordersFile } from '../api/orders-file.js';
import { fileName, type OrdersFileKind } from '../model/orders-file.js';

/** Saves all finished orders or all trades as a file; with a pair, those of the pair. */
export const OrdersExport = ({ kind, only }: { kind: OrdersFileKind; only?: QuotationItem | undefined }) => (
  <ExportButton
    read={() => ordersFile(api, kind, only)}
    name={() => fileName(kind, only?.symbol, new Date(knownServerNow()).toISOString().slice(0, 10))}
  />
);
