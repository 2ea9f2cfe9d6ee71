import { api } from '../../../core/api.js';

/** A file of the closed positions; of all pairs, or of one. */
export const positionsFile = (pair?: { readonly legal_id: number; readonly currency_id: number }): Promise<Blob> =>
  api.file('/api/lever/export', { legal_id: pair?.legal_id, currency_id: pair?.currency_id }, 'text/csv');
