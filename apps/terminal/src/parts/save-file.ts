import { toastError } from '@bourse/web';

/** Saves what `read` answers as a file of this name; says `otherwise` when it did not arrive. */
export async function saveFile(read: () => Promise<Blob>, name: string, otherwise: string): Promise<void> {
  try {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await read());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (failure) {
    console.warn('file not saved', failure);
    toastError(otherwise);
  }
}
