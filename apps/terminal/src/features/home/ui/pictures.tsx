import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tabs } from '@bourse/ui';
import { useAppearance } from '../../../prefs/appearance.js';
import { PICTURE_SIZE, PICTURES, pictureAddress, type PictureName } from '../model/pictures.js';

const PICTURE_TITLES: Readonly<Record<PictureName, string>> = {
  spot: 'nav.spot',
  c2c: 'nav.c2c',
  proof: 'nav.solvency',
};

/** Pictures of the screens behind the sign-in, in the reader's theme: a demo exchange, not drawings. */
export function Pictures() {
  const { t } = useTranslation();
  const theme = useAppearance((state) => state.theme);
  const [name, setName] = useState<PictureName>('spot');
  return (
    <section aria-labelledby="pictures" className="flex flex-col gap-3">
      <h2 id="pictures" className="text-last font-semibold">
        {t('front.picturesTitle')}
      </h2>
      <Tabs
        label={t('front.picturesTitle')}
        tabs={PICTURES.map((id) => ({ id, label: t(PICTURE_TITLES[id]) }))}
        value={name}
        onChange={setName}
        panelClassName="pt-3"
      >
        <figure className="flex flex-col gap-2">
          <img
            key={`${name} ${theme}`}
            src={pictureAddress(name, theme)}
            alt={t(`front.picture.${name}`)}
            {...PICTURE_SIZE}
            loading="lazy"
            decoding="async"
            className="h-auto w-full rounded-dialog border border-line bg-bg2"
          />
          <figcaption className="text-table text-t2">
            {t(`front.picture.${name}`)} {t('front.picturesDemo')}
          </figcaption>
        </figure>
      </Tabs>
    </section>
  );
}
