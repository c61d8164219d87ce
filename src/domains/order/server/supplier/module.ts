import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeSuppliers } from '../demo/writeSuppliers.ts';
import { addGoods, delGoods, goodsExport, goodsList, modifyGoods } from './goods.ts';
import { supplierGoodsImporter } from './goodsImporter.ts';
import { testEndpoint } from './endpoint.ts';
import { supplierDetail, supplierExport, supplierList } from './list.ts';
import { audit, disable, pause, resume, reveal, submit } from './moves.ts';
import { addPause, delPause } from './pauses.ts';
import { modifyRegions } from './regions.ts';
import { add, modify } from './save.ts';

/** 供应商设置: who fulfils orders, where, with which goods, and when not. */
export const supplierModule: FeatureModule = {
  handlers: (kernel) => [
    supplierList.handler,
    supplierDetail,
    add(kernel),
    modify(kernel),
    submit,
    audit,
    pause,
    resume,
    disable,
    reveal(kernel),
    testEndpoint(kernel),
    goodsList.handler,
    addGoods,
    modifyGoods,
    delGoods,
    modifyRegions,
    addPause,
    delPause,
  ],
  exports: [supplierExport, goodsExport],
  importers: [supplierGoodsImporter],
  demo: writeSuppliers,
};
