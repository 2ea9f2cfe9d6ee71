import { PICTURE_READERS } from '@bourse/platform';
import { defineAsk, shape, type NoQuestion } from '../define.js';

/** Questions that the gateway answers. */
export const gatewayAsks = {
  /** Claims an uploaded picture. Ok: this person uploaded it for this purpose; it is kept from then on. */
  upload: defineAsk('gateway.upload', {
    question: shape<{ readonly name: string; readonly userId: number; readonly scene: string }>(),
    answer: shape<{ readonly ok: boolean }>(),
    askedBy: ['auth', ...PICTURE_READERS],
  }),
  /** Claims pictures of a news item, which everybody may see from then on; answers those that are pictures of news. */
  newsPictures: defineAsk('gateway.newsPictures', {
    question: shape<{ readonly names: readonly string[] }>(),
    answer: shape<{ readonly names: readonly string[] }>(),
    askedBy: ['notices'],
  }),
  /** A picture in base64, for a document of the deal that it belongs to; null: it was removed. */
  picture: defineAsk('gateway.picture', {
    question: shape<{ readonly name: string }>(),
    answer: shape<{ readonly contentType: string; readonly image: string } | null>(),
    askedBy: ['c2c-escrow'],
  }),
  /** Keeps a picture in base64 as the upload of a demo person. Demo installs only. */
  demoPicture: defineAsk('gateway.demoPicture', {
    question: shape<{ readonly userId: number; readonly image: string }>(),
    answer: shape<{ readonly address: string }>(),
    askedBy: ['auth'],
  }),
  /** Removes pictures for good; answers how many there were. */
  forgetPictures: defineAsk('gateway.forgetPictures', {
    question: shape<{ readonly names: readonly string[] }>(),
    answer: shape<{ readonly removed: number }>(),
    askedBy: ['auth', ...PICTURE_READERS],
  }),
  /** Whether a breaker, a freeze or an alarm stops all withdrawals; to be asked before each payment. */
  withdrawals: defineAsk('gateway.withdrawals', {
    question: shape<NoQuestion>(),
    answer: shape<{ readonly stopped: boolean }>(),
    askedBy: ['wallet-ledger'],
  }),
  /** Whether a breaker, a freeze or an alarm stops what people begin in the product of this breaker. */
  openings: defineAsk('gateway.openings', {
    question: shape<{ readonly breaker: string }>(),
    answer: shape<{ readonly stopped: boolean }>(),
    askedBy: ['lever-risk'],
  }),
};
