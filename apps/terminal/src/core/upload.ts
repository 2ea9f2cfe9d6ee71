import { NetworkError } from '@bourse/api-client';
import type { RefusalBody } from '@bourse/contract';
import { readStored } from '../prefs/storage.js';
import { ApiError, refused } from './api.js';
import { current } from './i18n.js';

/** The purpose of an image; the server decides by it who may see the image (api §2.11). */
export type UploadScene = 'kyc' | 'pay' | 'evidence' | 'proof' | 'chat';

/**
 * Sends an image and answers its address, which other calls take. By XMLHttpRequest, because fetch tells nothing of the
 * way up.
 * @param onProgress share sent so far, 0 to 1
 * @throws ApiError when it is refused (`upload.*`), NetworkError when no answer comes, also after `signal`
 */
export function uploadImage(
  file: File,
  scene: UploadScene,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const request = new XMLHttpRequest();
    const fail = (why: string): void => reject(new NetworkError(`POST /api/upload: ${why}`));
    request.open('POST', `/api/upload?timestamp=${started}`);
    request.setRequestHeader('lang', current());
    const token = readStored('token');
    if (token) request.setRequestHeader('Authorization', token);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => {
      const body = request.response as ({ type: 'ok'; message: string } | RefusalBody) | null;
      if (body === null || typeof body !== 'object' || !('type' in body))
        return fail(`HTTP ${request.status} without an envelope`);
      if (body.type === 'ok') return resolve(body.message);
      const refusal = new ApiError(request.status, body);
      refused(refusal, true);
      reject(refusal);
    };
    request.onerror = () => fail('no answer');
    request.onabort = () => fail('given up');
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.set('scene', scene);
    form.set('file', file);
    request.send(form);
  });
}
