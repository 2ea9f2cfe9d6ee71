import { Field, Given, GivenCode, Name, OneOf, type FieldOf, type FieldRule } from '@bourse/platform';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import { SCENES, type Scene } from '../../shared/domain/code.js';
import { fitsLength, fitsSignIn, PASSWORD_LENGTH } from '../../shared/domain/password.js';
import {
  checkedText,
  AccountText,
  SentCode,
  chosenPassword,
  RepeatedPassword,
  AreaCode,
  passkeyAnswer,
  answerReader,
  GivenPasskey,
} from '../../shared/http/fields.js';

const LOGIN_PASSWORD = { minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max } as const;
const NewPassword = (rule: FieldRule = {}): FieldOf<string> =>
  Field(chosenPassword(checkedText('register.psw16', fitsLength, LOGIN_PASSWORD)), rule);
/** A password to compare: in the form that was sent, because an old hash may be over that form. */
const SignInPassword = (): FieldOf<string> => Field(checkedText('login.psw6', fitsSignIn, LOGIN_PASSWORD));
/** The purpose of a code; read from `type`, its name on older screens, if `scene` is absent. */
const SceneWord = (): FieldOf<Scene | undefined> => OneOf(SCENES, { or: 'type', optional: true, late: true });
const Signed = (): FieldOf<PasskeyAnswer> => Field(answerReader(passkeyAnswer), { field: 'passkey' });
export class SignInBody {
  @AccountText('user_string') account!: string;
  @SignInPassword() password!: string;
  @AreaCode() areaCode?: string;
  @GivenCode({ about: 'Code of scene login, if required' }) smsCode?: string;
  @GivenCode({ about: 'Code of the authenticator, where one is on' }) totpCode?: string;
  @GivenPasskey() passkey?: PasskeyAnswer;
}
export class PasskeySignInBody {
  @Signed() answer!: PasskeyAnswer;
}
export class DeviceSignInBody {
  @AccountText('user_string') account!: string;
  @SentCode({ field: 'authorization_code' }) code!: string;
  @AreaCode() areaCode?: string;
  @GivenCode() totpCode?: string;
  @GivenPasskey() passkey?: PasskeyAnswer;
}
export class RegisterBody {
  @OneOf(['mobile', 'email']) type!: 'mobile' | 'email';
  @AccountText('user_string') account!: string;
  @AreaCode() areaCode?: string;
  @SentCode({ late: true }) code!: string;
  @NewPassword({ late: true }) password!: string;
  @RepeatedPassword({ field: 're_password' }) repeated?: string;
  @Given({ field: 'extension_code', about: 'Invitation code' }) inviteCode?: string;
  @Name({ optional: true, max: 1_000 }) nationality?: string | undefined;
}
export class SendCodeBody {
  @AccountText('user_string') account!: string;
  @AreaCode() areaCode?: string;
  @SceneWord() scene?: Scene;
}
class CheckCodeBody {
  @Given({ field: 'user_string' }) account?: string;
  @AreaCode() areaCode?: string;
  @SceneWord() scene?: Scene;
}
export class CheckMobileBody extends CheckCodeBody {
  @SentCode({ field: 'mobile_code', or: 'code' }) code!: string;
}
export class CheckEmailBody extends CheckCodeBody {
  @SentCode({ field: 'email_code', or: 'code' }) code!: string;
}
export class ForgetBody {
  @AccountText('account') account!: string;
  @SentCode() code!: string;
  @NewPassword() password!: string;
  @AreaCode() areaCode?: string;
  @RepeatedPassword({ field: 'repassword' }) repeated?: string;
}
