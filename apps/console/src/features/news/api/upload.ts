import { api } from '../../../core/api.js';

/**
 * Sends a picture for news and answers its address. The audit log keeps the reason.
 * @throws ApiError when it is refused (`upload.*`), NetworkError when no answer comes
 */
export const uploadNewsPicture = (file: File, reason: string): Promise<string> =>
  api.upload('/api/admin/upload', { reason }, file);
