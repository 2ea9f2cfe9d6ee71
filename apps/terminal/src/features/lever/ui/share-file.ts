import { toastError } from '@bourse/web';
import { saveFile } from '../../../parts/save-file.js';

/**
 * Offers a file to the programs of a phone, where the browser can, and saves it elsewhere; says `otherwise` when it did
 * not arrive.
 */
export async function shareFile(read: () => Promise<Blob>, name: string, otherwise: string): Promise<void> {
  if (!matchMedia('(pointer: coarse)').matches) return saveFile(read, name, otherwise);
  try {
    const blob = await read();
    const files = [new File([blob], name, { type: blob.type })];
    if (!navigator.canShare?.({ files })) return await saveFile(() => Promise.resolve(blob), name, otherwise);
    await navigator.share({ files });
  } catch (failure) {
    const fault = failure instanceof DOMException ? failure.name : '';
    // The person has closed the choice, or it is open already.
    if (fault === 'AbortError' || fault === 'InvalidStateError') return;
    console.warn('file not shared', failure);
    toastError(otherwise);
  }
}
