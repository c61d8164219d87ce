import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryImportTaskList } from './calls/imports.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const filesNumbers: readonly NumberPlace[] = [
  numberPlace('DR', '导入任务', queryImportTaskList, 'batchNo', { path: '/downloadList', tab: 'imports' }),
];
