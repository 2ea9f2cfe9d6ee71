import type { Params } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { Raw } from '@bourse/platform';

/** An answer of the wallet middleware (api §3): code 0 is success, `key` names the translated text. */
export function middlewareAnswer(
  lang: string,
  {
    code = 0,
    key = 'common.success',
    params = {},
    data = null,
  }: { readonly code?: number; readonly key?: string; readonly params?: Params; readonly data?: unknown },
): Raw {
  return new Raw({ code, msg: translate(lang, key, params), data });
}
