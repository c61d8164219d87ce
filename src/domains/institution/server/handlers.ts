import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';
import { command, query, type Handler } from '../../../kernel/server/handler.ts';
import type { Importer } from '../../../kernel/server/importing/importer.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import { queryHospitalCounts, queryHospitalDetail, querySelectOptions, searchHospital } from '../contract/hospitalCalls.ts';
import { applyHandlers } from './applies/handlers.ts';
import { departmentHandlers } from './departments/handlers.ts';
import { addition, aliasAddition, aliasDeletion, deletion, levelChange, modification, stateChange } from './hospitals/changeState.ts';
import { loadHospital } from './hospitals/detail.ts';
import { hospitalCounts, hospitalList } from './hospitals/list.ts';
import { hospitalOptions } from './hospitals/options.ts';
import { licenceHandlers } from './licences/handlers.ts';
import { mergeHandlers } from './merges/handlers.ts';
import { storeHandlers } from './stores/handlers.ts';
import { hospitalImporter } from './transfer/hospitalImporter.ts';
import { departmentImporter } from './transfer/departmentImporter.ts';
import { storeGoodsImporter } from './transfer/storeGoodsImporter.ts';
import { storeImporter } from './transfer/storeImporter.ts';
import { importDepartment, importHospital, importDrugstore, importStoreGoods } from '../contract/importCalls.ts';

export const institutionImporters: readonly Importer[] = [hospitalImporter, departmentImporter, storeImporter, storeGoodsImporter];

const importing = (
  kernel: Kernel,
  importCall: typeof importHospital | typeof importDepartment | typeof importDrugstore | typeof importStoreGoods,
  importer: Importer,
): Handler =>
  command(importCall, ({ fileId, mode, rowMode }, ctx) =>
    kernel.ports.importTasks.start(ctx, { importerCode: importer.code, fileId, params: { rowMode }, mode, staff: ctx.staff }, ctx.now),
  );

/** Every call of institution. */
export const institutionHandlers = (kernel: Kernel, exports: readonly ExportSource[]): readonly Handler[] => [
  hospitalList.handler,
  query(queryHospitalCounts, (filter, ctx) => hospitalCounts(filter, ctx)),
  query(queryHospitalDetail, ({ hospitalId }, ctx) => loadHospital(ctx, hospitalId)),
  query(querySelectOptions, (wish, ctx) => hospitalOptions(ctx.db, wish)),
  query(searchHospital, ({ keyword, adcode }, ctx) => hospitalOptions(ctx.db, { keyword, adcode, limit: 20 })),
  addition,
  modification,
  levelChange,
  stateChange,
  deletion,
  aliasAddition,
  aliasDeletion,
  ...departmentHandlers,
  ...mergeHandlers(kernel),
  ...applyHandlers(kernel),
  ...storeHandlers(kernel),
  ...licenceHandlers(kernel),
  ...exports.map((source) => exportHandler(source, kernel)),
  importing(kernel, importHospital, hospitalImporter),
  importing(kernel, importDepartment, departmentImporter),
  importing(kernel, importDrugstore, storeImporter),
  importing(kernel, importStoreGoods, storeGoodsImporter),
];
