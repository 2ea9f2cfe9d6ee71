import { Default, Given, Reason, wordReader } from '@bourse/platform';
import { SCENES } from '../application/uploads.js';

/* Fields of uploads and of the links to them (api §2.11). */

export class UploadFields {
  @Default<(typeof SCENES)[number]>(
    'pay',
    wordReader(
      Object.fromEntries(SCENES.map((scene) => [scene, scene])) as Record<string, (typeof SCENES)[number]>,
      {},
    ),
  )
  scene!: (typeof SCENES)[number];
}
/** The body is the file, so the operator's reason is in the query. */
export class NewsUploadQuery {
  @Reason() reason!: string;
}
export class ImageQuery {
  @Given({ about: 'End of the signature, unix seconds' }) e?: string;
  @Given({ about: 'Signature' }) s?: string;
}
