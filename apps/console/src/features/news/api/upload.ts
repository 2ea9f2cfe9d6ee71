import { api } from '../../../core/api.js';

/**
 * Sends a picture for news and answers its address. The reason stands in the audit log.
 * @throws ApiError when it is refused (`upload.*`), NetworkError when no answer comes
 */
export const uploadNewsPicture = (file: File, reason: string): Promise<string> =>
  api.upload('/api/admin/upload', { reason }, file);
