import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryMaterialOptions } from '../../contract/materials/calls.ts';

/** Forbidden words; they change with the program only. */
export const useMaterialOptions = () => useData(queryMaterialOptions, {}, { quiet: true, fresh: 60_000 });
