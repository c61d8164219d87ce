import { expect, test } from 'vitest';
import { placeLabels } from './placeLabels.ts';

test('names of neighbouring cities stand where they cover neither circles nor each other', () => {
  const labels = placeLabels([
    { text: '苏州市', x: 100, y: 100, radius: 14 },
    { text: '上海市', x: 130, y: 100, radius: 14 },
    { text: '成都市', x: 400, y: 100, radius: 14 },
  ]);
  expect(labels.map(({ anchor }) => anchor)).toEqual(['end', 'start', 'start']);
});
