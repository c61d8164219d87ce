import type { ConditionRow, ConditionRowIn } from '../../contract/conditionCalls.ts';
import type { ExpType } from '../../contract/dictionaries.ts';

/** A row being edited: every field may still be empty. */
export interface DraftRow {
  role: 1 | 2 | 3 | '';
  variableId: string;
  variableName: string;
  operatorValue: ConditionRow['operatorValue'] | '';
  conditionValue: string;
  checked: 0 | 1 | '';
  groupNo: 1 | 2 | 3 | 4 | 5;
}

/** Unsaved rows of one kind and the version of the set that they started from. */
export interface Draft {
  version: number;
  rows: readonly DraftRow[];
}

/** What local storage holds for one scene. */
export type Drafts = Readonly<Partial<Record<ExpType, Draft>>>;

export const MOST_GROUPS = 5;
export const MOST_ROWS = 30;

export const newRow = (groupNo: DraftRow['groupNo']): DraftRow => ({
  role: '',
  variableId: '',
  variableName: '',
  operatorValue: '',
  conditionValue: '',
  checked: 1,
  groupNo,
});

export const draftRowOf = ({ scenePackageId: _, ...row }: ConditionRow): DraftRow => row;

/** As the contract's checks and the calls take it. */
export const rowInOf = (row: DraftRow): ConditionRowIn => ({
  role: row.role === '' ? null : row.role,
  variableName: row.variableName,
  variableId: row.variableId === '' ? null : row.variableId,
  operatorValue: row.operatorValue,
  conditionValue: row.conditionValue.trim(),
  scenePackageId: null,
  checked: row.checked === '' ? null : row.checked,
  groupNo: row.groupNo,
});

/** Rows in the order of their groups, groups numbered from 1 without gaps. */
export function tidyRows(rows: readonly DraftRow[]): DraftRow[] {
  const groups = [...new Set(rows.map((row) => row.groupNo))].sort((a, b) => a - b);
  return groups.flatMap((group, index) =>
    rows.filter((row) => row.groupNo === group).map((row) => ({ ...row, groupNo: (index + 1) as DraftRow['groupNo'] })),
  );
}

/** A changed role empties variable, operator and value; a changed variable operator and value; a changed operator the value. */
export function changeRow(row: DraftRow, change: Partial<DraftRow>): DraftRow {
  const next = { ...row, ...change };
  if ('role' in change && change.role !== row.role)
    return { ...next, variableId: '', variableName: '', operatorValue: '', conditionValue: '' };
  if ('variableId' in change && change.variableId !== row.variableId) return { ...next, operatorValue: '', conditionValue: '' };
  if ('operatorValue' in change && change.operatorValue !== row.operatorValue) return { ...next, conditionValue: '' };
  return next;
}

export const sameRows = (a: readonly DraftRow[], b: readonly DraftRow[]): boolean =>
  a.length === b.length &&
  a.every((row, index) => (Object.keys(row) as (keyof DraftRow)[]).every((field) => row[field] === b[index]![field]));

/** Reads what local storage holds; anything that is no draft counts as none. */
export function parseDrafts(text: string | null): Drafts {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const entries = Object.entries(value).filter(
      ([key, draft]) => (key === '1' || key === '2') && typeof draft === 'object' && draft !== null && Array.isArray((draft as Draft).rows),
    );
    return Object.fromEntries(entries) as Drafts;
  } catch {
    return {};
  }
}
