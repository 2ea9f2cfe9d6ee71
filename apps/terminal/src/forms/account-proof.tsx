import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountInput, type AccountValue } from './account-input.js';
import { accountProblem } from './account-name.js';
import { CodeField } from './code-field.js';
import type { CodeScene } from './codes.js';

/**
 * An e-mail address or phone number, and the code that was sent to it. No code leaves for an account that cannot be.
 */
export function AccountProof({
  scene,
  who,
  onWho,
  code,
  onCode,
  errors,
  onRefused,
}: {
  scene: CodeScene;
  who: AccountValue;
  onWho: (who: AccountValue) => void;
  code: string;
  onCode: (code: string) => void;
  errors: { readonly account: string | undefined; readonly code: string | undefined };
  onRefused: (text: string) => void;
}) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string>();
  const ready = (): boolean => {
    const found = accountProblem(who.account, who.mode);
    setProblem(found);
    return found === undefined;
  };
  return (
    <>
      <AccountInput
        value={who}
        onChange={(next) => {
          onWho(next);
          setProblem(undefined);
        }}
        error={errors.account ?? (problem ? t(problem) : undefined)}
      />
      <CodeField
        scene={scene}
        account={who.account.trim()}
        areaCode={who.areaCode}
        value={code}
        onChange={onCode}
        error={errors.code}
        ready={ready}
        onRefused={onRefused}
      />
    </>
  );
}
