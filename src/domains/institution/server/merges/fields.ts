import { hospitalKinds, hospitalLevels, levelRanks, ownerships } from '../../contract/dictionaries.ts';
import { factsOfChoice, mayType, mergeFields, type MergeField } from '../../contract/duplicateCalls.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import type { HospitalRecord } from '../access.ts';
import { factsOf } from '../hospitals/facts.ts';

interface Choice {
  from: 'survivor' | 'loser' | 'typed';
  value?: string | undefined;
}
export type FieldChoice = Partial<Record<MergeField, Choice>>;

/** The survivor's facts after the chosen values. */
export function mergedFacts(survivor: HospitalRecord, loser: HospitalRecord, choice: FieldChoice): HospitalFacts {
  const result: HospitalFacts = { ...factsOf(survivor) };
  const other = factsOf(loser);
  for (const field of mergeFields) {
    const chosen = choice[field];
    if (!chosen || chosen.from === 'survivor') continue;
    for (const part of factsOfChoice(field)) {
      if (chosen.from === 'loser') Object.assign(result, { [part]: other[part] });
      else if (mayType(field)) Object.assign(result, { [part]: chosen.value ?? '' });
    }
  }
  return result;
}

/** A value as the table of the merge dialog shows it. */
export function shownValue(field: MergeField, row: HospitalRecord): string {
  switch (field) {
    case 'level':
      return hospitalLevels.label(row.level);
    case 'kind':
      return hospitalKinds.label(row.kind);
    case 'ownership':
      return ownerships.label(row.ownership);
    case 'place':
      return row.lngE6 === null || row.latE6 === null ? '' : `${row.lngE6 / 1e6}, ${row.latE6 / 1e6}`;
    case 'licence':
      return [row.licenceNo, row.licenceValidTo].filter(Boolean).join(' 至 ');
    default:
      return row[field] ?? '';
  }
}

/** Whose value is proposed: the filled one, the higher level, else the survivor's. */
export function bestOf(field: MergeField, survivor: HospitalRecord, loser: HospitalRecord): 'survivor' | 'loser' {
  if (field === 'level') return levelRanks[loser.level] > levelRanks[survivor.level] ? 'loser' : 'survivor';
  return shownValue(field, survivor) === '' && shownValue(field, loser) !== '' ? 'loser' : 'survivor';
}
