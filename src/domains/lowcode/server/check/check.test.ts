import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedSamples, refusedSamples } from '../../contract/samples.ts';
import { downloadPage, downloadSet } from '../../../files/server/pages/downloadCenter.ts';
import { institutionSets } from '../../../institution/server/pages/datasets.ts';
import { drugstorePage } from '../../../institution/server/pages/drugstores.ts';
import { hospitalPage } from '../../../institution/server/pages/hospitals.ts';
import { skeletonOf } from '../pages/skeleton.ts';
import { checkText, errorsOf } from './check.ts';
import { isObject } from './facts.ts';

const facts = { datasets: new Map([downloadSet, ...institutionSets].map((one) => [one.code, one])), routes: new Set(['hospitalList']) };
const errorsIn = (definition: unknown) =>
  checkText(JSON.stringify(definition), facts)
    .problems.filter(({ severity }) => severity === 'E')
    .map(({ code, pointer }) => ({ rule: code, pointer }));

describe('the check of definitions', () => {
  it('holds a corpus of sixty refused definitions and twenty-five accepted ones', () => {
    expect(refusedSamples.length).toBeGreaterThanOrEqual(60);
    expect(acceptedSamples.length).toBeGreaterThanOrEqual(25);
  });

  it.each(refusedSamples.map((sample) => [sample.name, sample] as const))(
    'refuses %s by its rule at its place',
    (_name, { definition, fault }) => {
      expect(errorsIn(definition)).toEqual([fault]);
    },
  );

  it.each(acceptedSamples.map((sample) => [sample.name, sample] as const))('takes %s', (_name, { definition }) => {
    expect(errorsIn(definition)).toEqual([]);
  });

  it('takes what ships with the code without a word, and what it makes of datasets', () => {
    for (const page of [downloadPage, hospitalPage, drugstorePage])
      expect(checkText(JSON.stringify(page.definition), facts).problems, page.token).toEqual([]);
    for (const dataset of facts.datasets.values())
      expect(errorsIn(skeletonOf(dataset, { title: '页', forms: true })), dataset.code).toEqual([]);
  });

  it('names line and column of what is no JSON', () => {
    expect(checkText('{\n  "type": page\n}', facts).problems).toMatchObject([{ message: '不是合法的JSON：第2行第11列' }]);
  });

  it('tells what a definition names of datasets', () => {
    expect(checkText(JSON.stringify(hospitalPage.definition), facts).manifest).toEqual([
      { datasetCode: 'institution.hospital', operations: ['action.contact', 'export', 'list'] },
    ]);
  });

  it('takes no text of a program into any place of an accepted definition where the renderer would run it', () => {
    const attacks = ['<% canary() %>', '${window:canary}', '${canary.constructor}', '<img src=x onerror=canary()>', '${x => canary}'];
    /** Puts a text in the place of the nth string. */
    const put = (value: unknown, at: { left: number }, text: string): unknown => {
      if (typeof value === 'string') return at.left-- === 0 ? text : value;
      if (Array.isArray(value)) return value.map((one: unknown) => put(one, at, text));
      return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one, at, text)])) : value;
    };
    fc.assert(
      fc.property(fc.constantFrom(...acceptedSamples.slice(1)), fc.nat(30), fc.constantFrom(...attacks), (sample, place, text) => {
        const at = { left: place };
        const mutated = put(sample.definition, at, text);
        if (at.left >= 0) return true;
        return errorsOf(checkText(JSON.stringify(mutated), facts).problems) > 0;
      }),
      { numRuns: 400 },
    );
  });
});
