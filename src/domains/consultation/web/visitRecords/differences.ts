import type { VisitRecord } from '../../contract/calls/visits.ts';

export interface FieldDifference {
  label: string;
  before: string;
  after: string;
}

const diagnosisText = (record: VisitRecord) =>
  record.diagnoses.map(({ icd10, name, main }) => `${main ? '【主要】' : ''}${name}${icd10 ? `（${icd10}）` : ''}`).join('；');

/** Parts of a record with their labels, as they are shown and compared. */
export const shownParts = (record: VisitRecord): readonly (readonly [label: string, text: string])[] => [
  ['主诉', record.chiefComplaint],
  ['现病史', record.presentIllness],
  ['既往史', record.pastHistory],
  ['过敏史', record.allergy],
  ['初步诊断', diagnosisText(record)],
  ['处理意见', record.advice],
  ['复诊日期', record.revisitOn ?? ''],
  ['关联用药建议', record.suggestionIds.length === 0 ? '' : `${record.suggestionIds.length}条`],
  ['关联检查', record.inspectionIds.length === 0 ? '' : `${record.inspectionIds.length}份`],
];

/** What a later version says otherwise than an earlier one. */
export function differencesBetween(earlier: VisitRecord, later: VisitRecord): FieldDifference[] {
  const before = shownParts(earlier);
  return shownParts(later).flatMap(([label, after], index) => {
    const [, old = ''] = before[index] ?? [];
    return old === after ? [] : [{ label, before: old, after }];
  });
}
