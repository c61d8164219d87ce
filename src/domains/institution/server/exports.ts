import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import type { Secrets } from '../../../kernel/server/sensitive/secrets.ts';
import { applyExport } from './applies/read.ts';
import { hospitalExport } from './hospitals/list.ts';
import { licenceExport } from './licences/list.ts';
import { mergeExport } from './merges/list.ts';
import { duplicateExport } from './merges/pairs.ts';
import { chainExport } from './stores/chainList.ts';
import { changeExport } from './stores/changeList.ts';
import { goodsExport } from './stores/goods.ts';
import { storeExport } from './stores/list.ts';

/** Every list of the domain. */
export const institutionExports = (secrets: Secrets): readonly ExportSource[] => [
  hospitalExport,
  duplicateExport,
  applyExport,
  storeExport,
  licenceExport,
  goodsExport,
  chainExport(secrets),
  mergeExport,
  changeExport(secrets),
];
