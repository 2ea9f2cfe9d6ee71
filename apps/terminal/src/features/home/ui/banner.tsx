import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { News } from '@bourse/contract';
import { buttonClasses, cx, Skeleton } from '@bourse/ui';
import { newsText } from '../../../parts/news-text.js';
import { AUTOPLAY_MS, keyStep, nextSlide, previousSlide, slideTarget, swipeStep } from '../model/carousel.js';

function SlideLink({ slide }: { slide: News }) {
  const { t } = useTranslation();
  const target = slideTarget(slide);
  const look = cx(buttonClasses('primary', 'field'), 'w-fit');
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

/** One slide: words at the start, the cover at the end (above the words on a phone). */
function Slide({ slide, label, shown }: { slide: News; label: string; shown: boolean }) {
  return (
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={label}
      inert={!shown}
      className={cx('flex min-h-0 [grid-area:1/1] max-md:flex-col-reverse', !shown && 'invisible')}
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 p-6 max-md:p-4 md:pb-14">
        <h2 {...newsText(slide)} className="line-clamp-2 shrink-0 text-balance text-last font-semibold md:text-home">
          {slide.title}
        </h2>
        <p
          {...newsText(slide)}
          className="line-clamp-3 max-w-[52ch] shrink-0 md:line-clamp-2 text-body text-t2 md:text-title"
        >
          {slide.abstract}
        </p>
        <SlideLink slide={slide} />
      </div>
      {slide.cover !== '' && (
        <img
          src={slide.cover}
          alt=""
          draggable={false}
          className={
            'object-cover max-md:h-28 max-md:w-full md:h-full md:w-2/5 ' +
            'md:[mask-image:linear-gradient(to_right,transparent,#000_30%)] ' +
            'md:rtl:[mask-image:linear-gradient(to_left,transparent,#000_30%)]'
          }
        />
      )}
    </div>
  );
}

function RoundButton({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-7 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
    >
      {children}
    </button>
  );
}

/**
 * Banner slides: five seconds each, in a loop; they rest under pointer and focus, on request, and for who wants less
 * motion. Arrow keys and a swipe change them as well. The place keeps its size whatever a slide says.
 */
export function Banner({ slides }: { slides: readonly News[] | undefined }) {
  const { t } = useTranslation();
  const [at, setAt] = useState(0);
  const [stopped, setStopped] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [resting, setResting] = useState(false);
  const touch = useRef<{ x: number; y: number } | undefined>(undefined);
  const count = slides?.length ?? 0;
  const shown = Math.min(at, Math.max(0, count - 1));
  const step = (by: -1 | 0 | 1): void => {
    if (by !== 0) setAt((now) => (by === 1 ? nextSlide(now, count) : previousSlide(now, count)));
  };
  useEffect(() => {
    if (stopped || resting || count < 2) return undefined;
    const timer = setInterval(() => setAt((now) => nextSlide(now, count)), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [stopped, resting, count]);
  const rtl = document.documentElement.dir === 'rtl';
  return (
    <section
      aria-roledescription="carousel"
      aria-label={t('home.banners')}
      className={
        'relative flex h-80 touch-pan-y flex-col overflow-hidden rounded-dialog border border-line bg-bg1 md:h-76 ' +
        'lg:h-0 lg:min-h-full ' +
        (count === 0 && slides ? 'max-lg:hidden' : '')
      }
      onPointerEnter={() => setResting(true)}
      onPointerLeave={() => setResting(false)}
      onFocus={() => setResting(true)}
      onBlur={() => setResting(false)}
      onKeyDown={({ key }) => step(keyStep(key, rtl))}
      onTouchStart={({ touches }) => {
        const finger = touches[0];
        touch.current = finger && { x: finger.clientX, y: finger.clientY };
      }}
      onTouchEnd={({ changedTouches }) => {
        const finger = changedTouches[0];
        if (finger && touch.current)
          step(swipeStep(finger.clientX - touch.current.x, finger.clientY - touch.current.y, rtl));
        touch.current = undefined;
      }}
    >
      <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)]" aria-live={stopped || resting ? 'polite' : 'off'}>
        {slides === undefined ? (
          <div className="flex flex-col gap-4 p-6">
            <Skeleton className="h-12 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
          </div>
        ) : count === 0 ? (
          <div className="flex flex-col gap-3 p-6">
            <p className="text-balance font-semibold md:text-home">{t('home.heading')}</p>
            <p className="max-w-[52ch] text-title text-t2">{t('home.lead')}</p>
          </div>
        ) : (
          slides.map((slide, index) => (
            <Slide
              key={slide.id}
              slide={slide}
              label={t('home.slide', { n: index + 1, count })}
              shown={index === shown}
            />
          ))
        )}
      </div>
      {count > 1 && (
        <div className="flex shrink-0 items-center gap-1 px-4 pb-4 md:absolute md:bottom-0 md:w-3/5 md:ps-6">
          {slides?.map((item, index) => (
            <button
              key={item.id}
              type="button"
              aria-label={t('home.slide', { n: index + 1, count })}
              aria-current={index === shown}
              onClick={() => setAt(index)}
              className="grid h-7 w-8 place-items-center"
            >
              <span className={cx('block h-1.5 w-5 rounded-chip', index === shown ? 'bg-t1' : 'bg-line-strong')} />
            </button>
          ))}
          <span className="ms-auto flex items-center gap-1">
            <RoundButton label={t('home.previous')} onPress={() => step(-1)}>
              <ChevronLeft size={16} aria-hidden className="rtl:-scale-x-100" />
            </RoundButton>
            <RoundButton label={t(stopped ? 'home.play' : 'home.pause')} onPress={() => setStopped(!stopped)}>
              {stopped ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            </RoundButton>
            <RoundButton label={t('home.next')} onPress={() => step(1)}>
              <ChevronRight size={16} aria-hidden className="rtl:-scale-x-100" />
            </RoundButton>
          </span>
        </div>
      )}
    </section>
  );
}
