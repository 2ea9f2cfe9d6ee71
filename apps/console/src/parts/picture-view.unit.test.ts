import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { viewAfter, WHOLE, type PictureAct } from './picture-view.js';

const acts = fc.constantFrom<PictureAct>('nearer', 'farther', 'right', 'left', 'whole');

describe('viewing a picture', () => {
  test('it comes nearer by steps and stays within its scale, whatever is pressed [CONSOLE-110]', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 40 }), (pressed) => {
        const { zoom, turn } = pressed.reduce(viewAfter, WHOLE);
        return zoom >= 100 && zoom <= 600 && [0, 90, 180, 270].includes(turn);
      }),
    );
  });

  test('a turn and a turn back, or four turns, change nothing; `whole` undoes all [CONSOLE-110]', () => {
    const near = viewAfter(WHOLE, 'nearer');
    expect(near).toEqual({ zoom: 150, turn: 0 });
    expect(viewAfter(near, 'farther')).toEqual(WHOLE);
    expect(viewAfter(viewAfter(near, 'left'), 'right')).toEqual(near);
    expect(viewAfter(near, 'left').turn).toBe(270);
    expect((['right', 'right', 'right', 'right'] as const).reduce(viewAfter, near)).toEqual(near);
    expect(viewAfter(viewAfter(near, 'right'), 'whole')).toEqual(WHOLE);
  });
});
