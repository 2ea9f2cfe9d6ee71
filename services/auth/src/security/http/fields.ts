import { Field, Given, Name, OneOf, refuse, Text, type FieldOf } from '@bourse/platform';
import * as z from 'zod/mini';
import { PASSKEY } from '../../shared/domain/passkey.js';
import {
  PASSWORD_MAX,
  checkedText,
  isThere,
  SentCode,
  AreaCode,
  base64url,
  PASSKEY_ID_MAX,
  credential,
  answerReader,
  TotpCodeBody,
} from '../../shared/http/fields.js';
import { API_KEY_LIMITS, PERMISSIONS, readAddresses } from '../application/api-key-access.js';
import type { NewPasskeyAnswer } from '../../shared/application/ports/web-authn.js';

const newPasskeyAnswer: z.ZodMiniType<NewPasskeyAnswer> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string()).check(z.maxLength(20))),
  }),
});
const PasskeyLabel = (): FieldOf<string> => Name({ max: PASSKEY.label, pattern: /\S/u });
export class BindEmailBody {
  @Field(checkedText('email.required', isThere)) email!: string;
  @SentCode({ late: true }) code!: string;
}
export class BindMobileBody {
  @Text() mobile!: string;
  @AreaCode() areaCode?: string;
  @SentCode({ late: true }) code!: string;
}
export class DisableTotpBody extends TotpCodeBody {
  @Text({ max: PASSWORD_MAX }) password!: string;
}
export class EnablePasskeyBody {
  @PasskeyLabel() label!: string;
  @Field(answerReader(newPasskeyAnswer), { field: 'passkey' }) answer!: NewPasskeyAnswer;
}
export class RenamePasskeyBody {
  @Text({ max: PASSKEY_ID_MAX }) id!: string;
  @PasskeyLabel() label!: string;
}
export class DisablePasskeyBody {
  @Text({ max: PASSKEY_ID_MAX }) id!: string;
  @Text({ max: PASSWORD_MAX }) password!: string;
}
export class WordBody {
  @Name({ min: 4, max: 20, pattern: /^\S(?:.*\S)?$/u }) word!: string;
}
export class FreezeOwnBody {
  @Text({ max: PASSWORD_MAX }) password!: string;
}
export class NewApiKeyBody {
  @Name({ max: API_KEY_LIMITS.label, pattern: /\S/u }) label!: string;
  @OneOf(PERMISSIONS) permissions!: (typeof PERMISSIONS)[number];
  @Field({
    read(text, field) {
      const addresses = readAddresses(text ?? '');
      if (addresses === null) throw refuse('common.fieldInvalid', field);
      return addresses;
    },
    schema: { type: 'string', description: 'Addresses that may use the key, with commas between; none: any' },
    keys: [],
  })
  ips!: NonNullable<ReturnType<typeof readAddresses>>;
  @Given({ about: 'Fund password' }) password?: string;
}
export class DeleteApiKeyBody {
  @Text({ max: 64 }) key!: string;
  @Given({ about: 'Fund password' }) password?: string;
}
