import { hasHiddenCharacters, OPERATOR_PASSWORD_LENGTH } from '@bourse/contract';
import {
  declare,
  Default,
  Field,
  Flag,
  flagReader,
  GivenCode,
  Means,
  OneOf,
  PageOf,
  Reason,
  refuse,
  RowId,
  Text,
  type FieldOf,
  type Page,
  type Reader,
} from '@bourse/platform';
import { OPERATOR_ROLES, type OperatorRole } from '../../shared/application/ports/operators.js';
import { PEOPLE_ROLES } from '../../shared/application/ports/people.js';
import { fitsOperator, fitsOperatorSignIn } from '../../shared/domain/password.js';
import { checkedText, AccountText, chosenPassword, TotpCodeBody } from '../../shared/http/fields.js';
import { FREEZE_SCOPES, RESETS } from '../application/user-admin.js';
import { APPROVAL_STATES, type ApprovalState } from '../../shared/application/ports/approval-state.js';

/** The password of an existing operator; blanks belong to it. */
const KnownPassword = (): FieldOf<string> => Field(checkedText('login.psw6', fitsOperatorSignIn));
const fresh = chosenPassword(
  checkedText('admin.passwordLength', fitsOperator, {
    params: OPERATOR_PASSWORD_LENGTH,
    minLength: OPERATOR_PASSWORD_LENGTH.min,
    maxLength: OPERATOR_PASSWORD_LENGTH.max,
  }),
);
export class OperatorSignInBody {
  @AccountText('username') username!: string;
  @KnownPassword() password!: string;
  @Field(fresh, { optional: true }) newPassword?: string;
  @GivenCode() totpCode?: string;
}
/** One or more roles, separated by commas. */
const roles: Reader<readonly OperatorRole[]> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const words = text.split(',').map((word) => word.trim());
    if (text.length > 1_000 || words.some((word) => !(OPERATOR_ROLES as readonly string[]).includes(word)))
      throw refuse('common.fieldInvalid', field);
    return [...new Set(words)] as OperatorRole[];
  },
  schema: { type: 'string', pattern: `^(${OPERATOR_ROLES.join('|')})(,(${OPERATOR_ROLES.join('|')}))*$` },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
export class SaveOperatorBody {
  @Text({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/ }) username!: string;
  @Default(true, flagReader({})) active!: boolean;
  /** Late: when the operator is switched off, no other field counts. */
  @Field(fresh, { optional: true, late: true }) password?: string;
  @Field(roles, { late: true }) roles!: readonly OperatorRole[];
  /** The authenticator is lost: the approver is shown a new one. */
  @Default(false, flagReader({})) newTotp!: boolean;
  @Reason() reason!: string;
}
export class OperatorTotpSetupBody {
  @KnownPassword() password!: string;
  @GivenCode() totpCode?: string;
  @Reason() reason!: string;
}
export class OperatorTotpEnableBody extends TotpCodeBody {
  @Reason() reason!: string;
}
export class OperatorPasswordBody {
  @KnownPassword() password!: string;
  @Field(fresh) newPassword!: string;
  @GivenCode() totpCode?: string;
  @Reason() reason!: string;
}
export class ApprovalListQuery {
  @OneOf(APPROVAL_STATES, { optional: true }) state?: ApprovalState;
  @PageOf(20) page!: Page;
}
export class DecideApprovalBody {
  @RowId('common.fieldInvalid', { min: 1 }) id!: number;
  @Reason() reason!: string;
}
export class PeopleQuery {
  @Text({ max: 100, optional: true }) keyword?: string;
  @OneOf(PEOPLE_ROLES, { optional: true }) role?: (typeof PEOPLE_ROLES)[number];
  @PageOf(20) page!: Page;
}
/** Ids of people with commas between, each once. */
const people: Reader<readonly number[]> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const ids = text.split(',').map((id) => id.trim());
    if (ids.length > NAMED_MAX || ids.some((id) => !/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))))
      throw refuse('common.fieldInvalid', field);
    return [...new Set(ids.map(Number))];
  },
  schema: { type: 'string', pattern: '^[1-9]\\d{0,15}(,[1-9]\\d{0,15})*$' },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
const NAMED_MAX = 100;
export class NamedPeopleQuery {
  @Field(people) ids!: readonly number[];
}
export class FreezeBody {
  @RowId() userId!: number;
  @OneOf(FREEZE_SCOPES) scope!: (typeof FREEZE_SCOPES)[number];
  @Reason() reason!: string;
}
export class ResetBody {
  @RowId() userId!: number;
  @OneOf(RESETS) what!: (typeof RESETS)[number];
  @Reason() reason!: string;
}
/** `city` or `city/district`; an empty value removes the role, an absent one changes nothing. */
const Region = (): FieldOf<string | undefined> =>
  declare<string | undefined>((property) => ({
    property,
    parts: [{ name: 'region', schema: { type: 'string', pattern: REGION.source }, required: false }],
    late: false,
    keys: ['common.fieldInvalid'],
    read({ region }) {
      if (region !== undefined && (!REGION.test(region) || hasHiddenCharacters(region)))
        throw refuse('common.fieldInvalid', 'region');
      return region;
    },
  }));
const REGION = /^(?:[^/]{1,60}(?:\/[^/]{1,60})?)?$/u;
export class PeopleRoleBody {
  @RowId() userId!: number;
  @Flag({ optional: true }) isSeller?: boolean;
  @Flag({ optional: true }) isAcceptor?: boolean;
  @Region() region?: string;
  @Flag({ field: 'type', optional: true, about: 'Member of the points programme' }) inPoints?: boolean;
  @Reason() reason!: string;
}
export class PapersQuery {
  @Means({ 0: 0, 1: 1, 2: 2 } as const, { optional: true }) reviewStatus?: 0 | 1 | 2;
  @RowId({ min: 1, optional: true, about: 'Papers of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class DecidePapersBody {
  @RowId() userId!: number;
  @Flag() pass!: boolean;
  @Text({ max: 32, optional: true, about: '`submitted_at` of the documents that were looked at' })
  submittedAt?: string | undefined;
  @Reason() reason!: string;
}
