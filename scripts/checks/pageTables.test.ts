import { expect, it } from 'vitest';
import { readmes } from '../routes/pageTables.ts';

it("each domain's README says in which file each of its pages stands; npm run routes -- --write writes it", () => {
  const all = readmes();
  expect(all.filter(({ wanted }) => wanted.includes('| `/')).length).toBeGreaterThan(10);
  for (const { file, text, wanted } of all) expect({ file, text }).toEqual({ file, text: wanted });
});
