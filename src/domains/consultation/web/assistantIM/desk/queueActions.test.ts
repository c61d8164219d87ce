import { expect, test } from 'vitest';
import { once } from './queueActions.ts';

test('a second click does nothing while the first is on its way, and acts again afterwards, also after a refusal', async () => {
  let calls = 0;
  const act = () => Promise.resolve((calls += 1));
  expect(await Promise.all([once('YH1', act), once('YH1', act), once('YH2', act)])).toEqual([1, null, 2]);
  await expect(once('YH1', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await once('YH1', act)).toBe(3);
});
