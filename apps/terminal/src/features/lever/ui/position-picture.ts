import type { TFunction } from 'i18next';
import { readPng } from '../../../parts/read-png.js';
import { token } from '../../../parts/token.js';
import type { PositionCard } from '../model/position-card.js';

const WIDTH = 720;
const HEIGHT = 400;
const EDGE = 40;
/** Pixels of the picture for each unit of the layout: sharp on a phone. */
const SCALE = 2;

/** Draws the card in the theme, the colours and the reading direction of the page, as a PNG file. */
export function drawPosition(card: PositionCard, t: TFunction): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * SCALE;
  canvas.height = HEIGHT * SCALE;
  const context = canvas.getContext('2d');
  if (!context) return Promise.reject(new Error('this browser draws no pictures'));
  context.scale(SCALE, SCALE);
  context.fillStyle = token('--bg1');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const start = isRightToLeft ? WIDTH - EDGE : EDGE;
  const end = WIDTH - start;
  const write = (text: string, at: { x: number; y: number; px: number; colour: string; weight?: number }): void => {
    context.fillStyle = token(at.colour);
    context.font = `${at.weight ?? 400} ${at.px}px 'Inter Variable', sans-serif`;
    // Signs and figures keep their order in a page that is read from the right.
    context.direction = /\p{L}/u.test(text) && isRightToLeft ? 'rtl' : 'ltr';
    context.textAlign = at.x === EDGE ? 'left' : 'right';
    context.fillText(text, at.x, at.y);
  };
  const tone = card.direction === 0 ? '--t1' : card.direction > 0 ? '--up' : '--down';
  const source = card.feed === 'live' ? '' : ` · ${t(`pair.feed.${card.feed}`)}`;
  write('Bourse', { x: start, y: 62, px: 24, colour: '--t1', weight: 700 });
  write(card.time, { x: end, y: 62, px: 16, colour: '--t2' });
  write(`${card.symbol} · ${t(card.isLong ? 'lever.long' : 'lever.short')} ${card.multiple}×`, {
    x: start,
    y: 128,
    px: 22,
    colour: '--t1',
    weight: 600,
  });
  write(t('lever.roi'), { x: start, y: 172, px: 16, colour: '--t2' });
  write(card.roi, { x: start, y: 238, px: 64, colour: tone, weight: 700 });
  write(t('lever.openPrice'), { x: start, y: 294, px: 16, colour: '--t2' });
  write(card.openPrice, { x: start, y: 322, px: 22, colour: '--t1', weight: 600 });
  write(t(card.isClosed ? 'lever.closePrice' : 'lever.mark'), { x: end, y: 294, px: 16, colour: '--t2' });
  write(card.price, { x: end, y: 322, px: 22, colour: '--t1', weight: 600 });
  write(`${location.host}${source}`, { x: start, y: 372, px: 14, colour: '--t3' });
  return readPng(canvas);
}
