import { expect, it } from 'vitest';
import { fileNamed, withRoomPaths } from './roomPaths.ts';

const file = 'src/domains/card/server/use/orders.ts';

it.each([
  ["import { a } from '../../../../kernel/contract/fields.ts';", "import { a } from '#kernel/contract/fields.ts';"],
  ["import type { A } from '../../../patient/server/index.ts';", "import type { A } from '#domains/patient/server/index.ts';"],
  ["import { event } from '../../../../events/card.ts';", "import { event } from '#events/card.ts';"],
  ["const one = await import('../../../../testing/testApp.ts');", "const one = await import('#testing/testApp.ts');"],
  ["import '../../../../kernel/web/list/list.css';", "import '#kernel/web/list/list.css';"],
  ["import { a } from '#domains/card/server/tables.ts';", "import { a } from '../tables.ts';"],
  ["import { a } from './pay.ts';", "import { a } from './pay.ts';"],
  ["import dayjs from 'dayjs';", "import dayjs from 'dayjs';"],
])('writes %s', (before, after) => {
  expect(withRoomPaths(file, before)).toBe(after);
});

it('leaves the kernel its own relative names', () => {
  const text = "import { a } from '../contract/fields.ts';";
  expect(withRoomPaths('src/kernel/server/a.ts', text)).toBe(text);
});

it('reads both kinds of names as the same file', () => {
  expect(fileNamed(file, '#kernel/contract/fields.ts')).toBe(fileNamed(file, '../../../../kernel/contract/fields.ts'));
});
