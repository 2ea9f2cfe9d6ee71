import { QRCodeSVG } from 'qrcode.react';
import { useTranslation } from 'react-i18next';
import type { TotpSetup } from '@bourse/contract';
import { Num } from '@bourse/ui';

/** The secret of an authenticator as a picture and as text; it is shown once. `lead` says what to do with it. */
export function TotpSecret({ setup: { secret, otpauth_url: url }, lead }: { setup: TotpSetup; lead: string }) {
  const { t } = useTranslation();
  return (
    <>
      {lead}
      <span className="mt-3 flex flex-col items-center gap-2">
        {/* White in both themes: readers want dark on light. */}
        <span className="bg-[#fff] p-2">
          <QRCodeSVG value={url} size={160} title={t('account.totpQr')} role="img" />
        </span>
        <span className="text-table">
          {t('account.totpSecret')}: <Num className="font-mono break-all text-t1">{secret}</Num>
        </span>
      </span>
    </>
  );
}
