import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { productOptions } from './options.ts';
import { add, changeStatus, detail, modify } from './products.ts';
import { addVersion, auditVersion, checkVersion, modifyVersion, versionDetail } from './versions.ts';

/** Products with their versions. */
export const productsPart: ModulePart = {
  handlers: [productOptions, add, modify, changeStatus, detail, addVersion, modifyVersion, versionDetail, checkVersion, auditVersion],
};
