import { useEffect, useRef, useState, type ReactNode } from 'react';

/** An element below the window is loaded when it comes near. */
const SEEN = '0px 0px -20% 0px';

/**
 * Draws its children once the reader comes near: by scrolling, or by the first key or touch, which may lead anywhere.
 * Until then it keeps their place, so that nothing jumps and what nobody sees is not loaded.
 */
export function WhenNear({ place, children }: { place: string; children: ReactNode }) {
  const [near, setNear] = useState(false);
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = mark.current;
    if (near || !element) return undefined;
    const show = (): void => setNear(true);
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) show();
      },
      { rootMargin: SEEN },
    );
    watch.observe(element);
    addEventListener('keydown', show, { once: true });
    addEventListener('touchstart', show, { once: true, passive: true });
    return () => {
      watch.disconnect();
      removeEventListener('keydown', show);
      removeEventListener('touchstart', show);
    };
  }, [near]);
  return (
    <div ref={mark} className={near ? undefined : place}>
      {near ? children : null}
    </div>
  );
}
