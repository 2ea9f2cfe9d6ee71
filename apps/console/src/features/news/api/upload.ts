import { ApiError, NetworkError } from '@bourse/api-client';
import type { RefusalBody } from '@bourse/contract';
import { readToken } from '../../../core/stored.js';

/**
 * Sends a picture for news and answers its address. The reason stands in the audit log.
 * @throws ApiError when it is refused (`upload.*`), NetworkError when no answer comes
 */
export async function uploadNewsPicture(file: File, reason: string): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  const response = await fetch(`${__EXCHANGE__}/api/admin/upload?${new URLSearchParams({ reason }).toString()}`, {
    method: 'POST',
    headers: { Authorization: readToken() ?? '' },
    credentials: 'omit',
    body: form,
  }).catch((cause: unknown) => {
    throw new NetworkError('POST /api/admin/upload: no answer', { cause });
  });
  const body = (await response.json()) as { type: 'ok'; message: string } | RefusalBody;
  if (body.type === 'ok') return body.message;
  throw new ApiError(response.status, body);
}
