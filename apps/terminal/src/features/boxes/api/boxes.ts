import type { ApiClient } from '@bourse/api-client';
import type { Box } from '../model/boxes.js';

/* The template is no part of the exchange: its calls are not listed with the others. */

/** Cached with all that belongs to the person: signing out drops it. */
export const BOXES = ['user', 'boxes'] as const;

export const openBoxes = async (api: ApiClient): Promise<readonly Box[]> =>
  (await api.call<{ message: readonly Box[] }>('GET', '/api/template/boxes', {}, { quiet: true })).message;

/** Puts an amount aside. @returns the notice, in the words of the server */
export const openBox = async (
  api: ApiClient,
  fields: { readonly currency: number; readonly amount: string },
  intent: string,
): Promise<string> =>
  (await api.call<{ message: string }>('POST', '/api/template/box', fields, { quiet: true, intent })).message;
