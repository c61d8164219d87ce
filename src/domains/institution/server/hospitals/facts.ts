import * as z from 'zod/mini';
import { checkInput } from '#kernel/server/http/validate.ts';
import { levelRanks } from '../../contract/dictionaries.ts';
import { placeInput } from '../../contract/place.ts';
import { hospitalFactKeys, hospitalFactsInput, type HospitalFacts } from '../../contract/hospitalCalls.ts';
import { allOf } from '#kernel/contract/field.ts';
import type { HospitalRecord } from '../access.ts';
import type { Place } from '../regions.ts';
import { grams, namePinyin, normName } from '../rules/normName.ts';
import { qualityOf } from '../rules/quality.ts';

const required = { name: '', level: 'L0', kind: 'GENERAL', ownership: 'PUBLIC', adcode: '' } as const;
const optional = z.omit(hospitalFactsInput, { name: true, level: true, kind: true, ownership: true, adcode: true });

/** Nothing entered yet. */
export const blankFacts: HospitalFacts = { ...required, ...optional.parse({}) };

/** The entered facts of a stored hospital. */
export const factsOf = (row: HospitalRecord): HospitalFacts => allOf(row, hospitalFactKeys);

/** Columns that follow from the entered facts and the region. */
export function derive(facts: HospitalFacts, place: Place, departmentCount: number) {
  const norm = normName(facts.name, place);
  const { scoreBp, issues } = qualityOf({ ...facts, adcode: place.adcode, departmentCount });
  return {
    ...facts,
    adcode: place.adcode,
    cityAdcode: place.cityAdcode,
    provinceAdcode: place.provinceAdcode,
    normName: norm,
    nameGrams: grams(norm),
    namePinyin: namePinyin(facts.name),
    levelRank: levelRanks[facts.level],
    qualityScoreBp: scoreBp,
    qualityIssues: [...issues],
  };
}

/** @throws Refusal SCM06035. */
export function requireInside(facts: { lngE6: number | null; latE6: number | null }, adcode: string): void {
  checkInput(placeInput, { adcode, lngE6: facts.lngE6, latE6: facts.latE6 });
}
