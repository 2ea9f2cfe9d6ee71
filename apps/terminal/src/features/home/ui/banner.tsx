import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { News } from '@bourse/contract';
import { cx, Skeleton } from '@bourse/ui';
import { AUTOPLAY_MS, nextSlide, slideTarget } from '../model/carousel.js';

function SlideLink({ slide }: { slide: News }) {
  const { t } = useTranslation();
  const look = 'w-fit text-button underline hover:text-t2';
  const target = slideTarget(slide);
  if (target.kind === 'site')
    return (
      <a href={target.href} target="_blank" rel="noreferrer noopener" className={look}>
        {t('home.readMore')}
      </a>
    );
  return (
    <Link to={target.to} className={look}>
      {t(target.kind === 'page' ? 'home.goThere' : 'home.readMore')}
    </Link>
  );
}

/**
 * Banner slides: five seconds each, in a loop; they rest under pointer and focus, on request, and for who wants less
 * motion.
 */
export function Banner({ slides }: { slides: readonly News[] | undefined }) {
  const { t } = useTranslation();
  const [at, setAt] = useState(0);
  const [stopped, setStopped] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [resting, setResting] = useState(false);
  const count = slides?.length ?? 0;
  useEffect(() => {
    if (stopped || resting || count < 2) return undefined;
    const timer = setInterval(() => setAt((now) => nextSlide(now, count)), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [stopped, resting, count]);
  const slide = slides?.[at % Math.max(1, count)];
  return (
    <section
      aria-roledescription="carousel"
      aria-label={t('home.banners')}
      className={
        'relative isolate flex min-h-56 flex-col justify-between gap-4 ' +
        'rounded-dialog border border-line bg-bg1 p-6'
      }
      onPointerEnter={() => setResting(true)}
      onPointerLeave={() => setResting(false)}
      onFocus={() => setResting(true)}
      onBlur={() => setResting(false)}
    >
      {slide === undefined ? (
        <div className="flex flex-col gap-4">
          <Skeleton className="h-12 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      ) : (
        <div
          role="group"
          aria-roledescription="slide"
          aria-label={t('home.slide', { n: at + 1, count })}
          aria-live={stopped || resting ? 'polite' : 'off'}
          className="flex flex-col gap-3"
        >
          {slide.cover !== '' && (
            <img
              src={slide.cover}
              alt=""
              className="absolute inset-0 -z-10 size-full rounded-dialog object-cover opacity-30"
            />
          )}
          <h2 className="text-balance font-semibold md:text-home">{slide.title}</h2>
          <p className="max-w-[52ch] text-title text-t2">{slide.abstract}</p>
          <SlideLink slide={slide} />
        </div>
      )}
      {count > 1 && (
        <div className="flex items-center gap-2">
          {slides?.map((item, index) => (
            <button
              key={item.id}
              type="button"
              aria-label={t('home.slide', { n: index + 1, count })}
              aria-current={index === at}
              onClick={() => setAt(index)}
              className="grid size-6 place-items-center"
            >
              <span className={cx('block h-1.5 w-5 rounded-chip', index === at ? 'bg-t1' : 'bg-line-strong')} />
            </button>
          ))}
          <button
            type="button"
            aria-label={t(stopped ? 'home.play' : 'home.pause')}
            onClick={() => setStopped(!stopped)}
            className="ms-2 grid size-6 place-items-center rounded-chip text-t2 hover:text-t1"
          >
            {stopped ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          </button>
        </div>
      )}
    </section>
  );
}
