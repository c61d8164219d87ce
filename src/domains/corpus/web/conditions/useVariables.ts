import { useMemo } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { queryVariableInfoDataList, type VariableRow } from '../../contract/conditionCalls.ts';

/** The page size that the specification gives. */
const WHOLE = 999;
const EMPTY: readonly VariableRow[] = [];

/** Variables of conditions, all roles at once; they change with the program only. */
export function useVariables() {
  const { data, error, refetch } = useData(
    queryVariableInfoDataList,
    { variableInfoFlag: 1, pageNo: 1, pageSize: WHOLE, userType: '' },
    { quiet: true, fresh: 600_000 },
  );
  const rows = data?.rows ?? EMPTY;
  const byId = useMemo(() => new Map(rows.map((variable) => [variable.variableId, variable])), [rows]);
  return { rows, byId, known: data !== undefined, error, refetch };
}
