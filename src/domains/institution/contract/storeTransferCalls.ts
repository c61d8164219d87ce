import { chainFilters, goodsFilters, licenceFilters } from './licenceCalls.ts';
import { institutionPermissions as may } from './permissions.ts';
import { changeFilters, storeFilters } from './storeCalls.ts';
import { exporting, importing } from './transfer.ts';

export const exportDrugstoreList = exporting('DrugstoreService', 'exportDrugstoreList', '导出药店', may['store.export'], storeFilters);
export const exportStoreGoodsList = exporting(
  'DrugstoreService',
  'exportStoreGoodsList',
  '导出门店商品价格',
  may['store.export'],
  goodsFilters,
);
export const exportChainList = exporting('DrugstoreService', 'exportChainList', '导出连锁总部', may['store.export'], chainFilters);
export const exportStoreChangeList = exporting(
  'DrugstoreService',
  'exportStoreChangeList',
  '导出药店变更',
  may['store.export'],
  changeFilters,
);
export const exportLicenceList = exporting('DrugstoreService', 'exportLicenceList', '导出到期证照', may['store.export'], licenceFilters);
export const importDrugstore = importing('DrugstoreService', 'importDrugstore', '导入药店', may['store.import']);
export const importStoreGoods = importing('DrugstoreService', 'importStoreGoods', '导入门店商品价格', may['store.import']);
