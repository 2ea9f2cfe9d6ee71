import { keptNow } from '../../prefs/use-kept.js';

/** Under which the switch for the sound of a new message is kept. */
export const chimeKey = 'deals.sound';
/** Asks early, so that the first message finds the switch where it was left. */
export const isChimeOn = (): boolean => keptNow(chimeKey, true);

/** Two short tones: the second a fourth above the first. */
const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const LOUD = 0.08;
let context: AudioContext | undefined;

/** A quiet sound for a new message. A browser that blocks sound before the first press plays none. */
export async function chime(): Promise<void> {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') await context.resume();
    for (const [at, tone] of TONES_HZ.entries()) play(context, tone, context.currentTime + at * TONE_S);
  } catch (error) {
    console.debug('no sound', error);
  }
}

function play(audio: AudioContext, tone: number, from: number): void {
  const [source, loudness] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = tone;
  loudness.gain.setValueAtTime(LOUD, from);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
  source.connect(loudness).connect(audio.destination);
  source.start(from);
  source.stop(from + TONE_S);
}
