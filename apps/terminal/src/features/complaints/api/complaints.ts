import { keys, type ApiClient } from '@bourse/api-client';
import type { Complaint, DataPage } from '@bourse/contract';
import type { ComplaintFields } from '../model/complaint.js';

export const COMPLAINTS = [...keys.user, 'complaints'] as const;
const QUIET = { quiet: true } as const;

export const complaintPage = async (api: ApiClient, page: number): Promise<DataPage<Complaint>> =>
  (await api.get('/api/complaint/list', { page }, QUIET)).message;
/** With its messages, which are read from then on. */
export const readComplaint = async (api: ApiClient, id: number): Promise<Complaint> =>
  (await api.get('/api/complaint/detail', { id }, QUIET)).message;

/** @returns the id of the new complaint, and what the server says. */
export async function complain(api: ApiClient, fields: ComplaintFields): Promise<{ id: number; message: string }> {
  const { id, message } = await api.post('/api/complaint/add', { ...fields }, QUIET);
  return { id, message };
}
export const reply = async (
  api: ApiClient,
  fields: { readonly id: number; readonly text: string; readonly images?: string },
): Promise<string> => (await api.post('/api/complaint/reply', { ...fields }, QUIET)).message;
export const closeComplaint = async (api: ApiClient, id: number): Promise<string> =>
  (await api.post('/api/complaint/close', { id }, QUIET)).message;
