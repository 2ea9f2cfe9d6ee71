import {
  Default,
  Field,
  flagReader,
  Given,
  Id,
  Means,
  OneOf,
  PageOf,
  Prose,
  Reason,
  Refused,
  RowId,
  UnderKey,
  type Page,
  type Reader,
} from '@bourse/platform';
import { OPENING_PICTURES_MAX, type AppealState } from '../domain/appeal.js';

const LINE_MAX = 1_000;

/** Addresses of pictures, separated by commas. */
const addresses: Reader<readonly string[]> = {
  read(text, field) {
    const found = (text ?? '').split(',').map((address) => address.trim());
    if (found.length > OPENING_PICTURES_MAX || found.includes(''))
      throw new Refused('common.fieldInvalid', { field }, { field });
    return found;
  },
  schema: { type: 'string', description: `At most ${OPENING_PICTURES_MAX} addresses of uploads, with commas between` },
  keys: ['common.fieldInvalid'],
};

export class DealQuery {
  @Id({ about: 'Id of the deal' }) id!: string;
}
/** Fields of an appeal, in the order of their refusals. */
@UnderKey()
export class AppealBody {
  @Id({ about: 'Id of the deal' }) id!: string;
  @Prose({ min: 10, max: 1_000 }) reason!: string;
  @Field(addresses, { optional: true }) evidence?: readonly string[] | undefined;
}
export class EvidenceBody {
  @Id({ about: 'Id of the deal' }) id!: string;
  @Prose({ max: LINE_MAX, optional: true }) text?: string | undefined;
  @Given({ about: 'Address of an upload of the scene evidence' }) url?: string | undefined;
}

export class AdminAppealsQuery {
  @Means({ 0: 'withdrawn', 1: 'open', 2: 'buyer', 3: 'seller' }, { optional: true }) state?: AppealState | undefined;
  @RowId({ min: 1, optional: true, about: 'One of the two parties' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class NoteBody {
  @Id() id!: string;
  @Prose({ max: LINE_MAX }) text!: string;
  @Default(false, flagReader({}), { about: '1: both parties see it in their chat as a message of support' })
  shown!: boolean;
  @Reason() reason!: string;
}
export class AssignBody {
  @Id() id!: string;
  @Reason() reason!: string;
}
@UnderKey()
export class DecideBody {
  @Id() id!: string;
  @OneOf(['buyer', 'seller']) outcome!: 'buyer' | 'seller';
  @Reason() reason!: string;
}
