import { readPng } from '../../parts/read-png.js';
import { saveFile } from '../../parts/save-file.js';
import { token } from '../../parts/token.js';

const HEAD_PX = 28;

/** Saves the chart as a picture under its title. */
export function saveChart(chart: HTMLCanvasElement, title: string, name: string, otherwise: string): Promise<void> {
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + HEAD_PX * ratio;
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = token('--bg1');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = token('--t1');
    context.font = `${13 * ratio}px 'Inter Variable', sans-serif`;
    context.fillText(title, 8 * ratio, 18 * ratio);
    context.drawImage(chart, 0, HEAD_PX * ratio);
  }
  return saveFile(() => readPng(canvas), name, otherwise);
}
