import { useData } from '../../../kernel/web/http/queries.ts';
import { queryDiseaseList } from '../contract/diseaseCalls.ts';

/** The page size that the specification gives. */
const MENU_PAGE = 99;

/** Diseases of the left menu. A failed list call is swallowed: what was there stays. */
export const useMenuDiseases = () =>
  useData(queryDiseaseList, { pageNo: 1, pageSize: MENU_PAGE, available: 1 }, { quiet: true, fresh: 5_000 });
