import { expect, it } from 'vitest';
import { checkText } from './check.ts';
import { downloadPage, downloadSet } from '../../../files/server/pages/downloadCenter.ts';
import { institutionSets } from '../../../institution/server/pages/datasets.ts';
import { hospitalPage } from '../../../institution/server/pages/hospitals.ts';
import { drugstorePage } from '../../../institution/server/pages/drugstores.ts';

const facts = { datasets: new Map([downloadSet, ...institutionSets].map((one) => [one.code, one])), routes: new Set(['hospitalList']) };
it('x', () => {
  for (const page of [downloadPage, hospitalPage, drugstorePage]) {
    expect(checkText(JSON.stringify(page.definition), facts).problems).toEqual([]);
  }
});
