import { expect, jest, test } from '@jest/globals';
import { eventually, post, trader } from './client.js';

jest.setTimeout(120_000);

interface Node {
  readonly id: number;
  readonly name?: string;
  readonly direct?: number;
  readonly children: readonly Node[];
}
interface Tree {
  readonly show_message: {
    readonly top_upnumber: string;
    readonly real_teamnumber: number;
    readonly rank: number;
    readonly direct: number;
  };
  readonly results: readonly Node[];
}
const treeOf = async (fields: Record<string, string | number>, token?: string): Promise<Tree> =>
  (await post('/api/getNode', fields, token === undefined ? {} : { token })).body.message as Tree;

test('a fresh install has the team of its demo people, with masked names for its root alone [TEAM-013]', async () => {
  const [one, two] = [await trader(1), await trader(2)];
  const own = await eventually(
    () => treeOf({}, one),
    ({ show_message }) => show_message.real_teamnumber >= 2,
  );
  const second = own.results.find(({ id }) => id === 100_002);
  expect(second).toMatchObject({ name: 'tra****@demo.bourse', direct: 1 });
  expect(second?.children).toEqual([expect.objectContaining({ id: 100_003, name: 'tra****@demo.bourse' })]);
  // One below in the own team, and somebody who is not in it: then the own team is told.
  expect((await treeOf({ user_id: 100_002 }, one)).results.map(({ id }) => id)).toEqual([100_003]);
  expect((await treeOf({ user_id: 100_001 }, two)).results.map(({ id }) => id)).toEqual([100_003]);
  const stranger = await treeOf({ user_id: 100_001 });
  expect(stranger.show_message).toEqual(own.show_message);
  expect(stranger.results[0]).toEqual({ id: 1, children: [{ id: 2, children: [] }] });
  for (const [fields, key] of [
    [{ user_id: 4 }, 'common.notFound'],
    [{}, 'common.fieldRequired'],
    [{ user_id: 'x' }, 'common.fieldInvalid'],
  ] as const)
    expect((await post('/api/getNode', fields)).body).toMatchObject({ type: 'error', key, field: 'user_id' });
});
