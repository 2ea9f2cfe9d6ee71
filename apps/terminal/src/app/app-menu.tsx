import { Smartphone } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useTranslation } from 'react-i18next';
import { Menu } from '@bourse/ui';

/** QR codes of the apps; only for stores that are configured. */
export function AppMenu({ ios, android }: { ios: string; android: string }) {
  const { t } = useTranslation();
  return (
    <Menu label={t('nav.apps')} trigger={<Smartphone size={16} aria-hidden />}>
      <div className="flex gap-4 p-3">
        {(
          [
            ['iPhone', ios],
            ['Android', android],
          ] as const
        )
          .filter(([, link]) => link !== '')
          .map(([name, link]) => (
            <a
              key={name}
              href={link}
              target="_blank"
              rel="noreferrer noopener"
              className="flex flex-col items-center gap-2 text-table"
            >
              <span className="bg-[#fff] p-2">
                <QRCodeSVG value={link} size={112} title={name} />
              </span>
              {name}
            </a>
          ))}
      </div>
    </Menu>
  );
}
