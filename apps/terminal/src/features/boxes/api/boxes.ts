import type { ApiClient } from '@bourse/api-client';
import type { Box } from '../model/boxes.js';

/** Cached with all that belongs to the person: signing out drops it. */
export const BOXES = ['user', 'boxes'] as const;

export const openBoxes = async (api: ApiClient): Promise<readonly Box[]> =>
  (await api.get<readonly Box[]>('/api/template/boxes', {}, { quiet: true })).message;

/** Puts an amount aside. @returns the notice, in the words of the server */
export const openBox = async (
  api: ApiClient,
  fields: { readonly currency: number; readonly amount: string },
  intent: string,
): Promise<string> => (await api.post<string>('/api/template/box', fields, { quiet: true, intent })).message;
