import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { enabledStates, licenceOwners } from '../../contract/dictionaries.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { changeMachine, mergeMachine } from '../../contract/states.ts';
import { exportMergeHospitalList } from '../../contract/hospitalTransferCalls.ts';
import { exportChainList, exportStoreChangeList, exportStoreGoodsList } from '../../contract/storeTransferCalls.ts';
import { countOf } from '../database.ts';
import { filledMerges, matchingMerges } from '../merges/handlers.ts';
import { chainsOf, filledChains } from '../stores/chains.ts';
import { changeChunks, matchingChanges } from '../stores/changeList.ts';
import { filledGoods, goodsOf } from '../stores/goods.ts';

export const goodsExport = exportSource({
  call: exportStoreGoodsList,
  title: '门店商品价格',
  routeKey: 'drugstoreManagement',
  permission: may['store.export'].code,
  count: ({ db, staff, filter }) => countOf(goodsOf(db, filter, staff)),
  chunks: ({ db, staff, filter }) =>
    chunksById((after, limit) =>
      filledGoods(goodsOf(db, filter, staff))
        .where('g.id', '>', after)
        .orderBy('g.id')
        .limit(limit)
        .execute(),
    ),
  columns: [
    { key: 'storeNo', label: '门店编号', width: 20, value: (row) => row.storeNo },
    { key: 'storeName', label: '门店', width: 30, value: (row) => row.storeName },
    { key: 'goodsCode', label: '商品编码', value: (row) => row.goodsCode },
    { key: 'goodsName', label: '商品', width: 28, value: (row) => row.goodsName },
    { key: 'spec', label: '规格', width: 20, value: (row) => row.spec },
    { key: 'priceFen', label: '价格（元）', kind: 'money', value: (row) => row.priceFen },
    { key: 'inStock', label: '有货', value: (row) => (row.inStock ? '是' : '否') },
    { key: 'effectiveFrom', label: '生效日期', kind: 'day', value: (row) => row.effectiveFrom },
    { key: 'stockAt', label: '库存时间', kind: 'instant', width: 20, value: (row) => row.stockAt },
  ],
});
/** Contacts and payee accounts stay in the house: they are masked wherever they are shown. */
export const chainExport = exportSource({
  call: exportChainList,
  title: '连锁总部',
  routeKey: 'drugstoreManagement',
  permission: may['store.export'].code,
  count: ({ db, filter }) => countOf(chainsOf(db, filter)),
  chunks: ({ db, filter }) =>
    chunksById((after, limit) => filledChains(chainsOf(db, filter)).where('c.id', '>', after).orderBy('c.id').limit(limit).execute()),
  columns: [
    { key: 'chainNo', label: '连锁编号', width: 20, value: (row) => row.chainNo },
    { key: 'name', label: '名称', width: 30, value: (row) => row.name },
    { key: 'brand', label: '品牌', value: (row) => row.brand },
    { key: 'uscc', label: '统一社会信用代码', width: 22, value: (row) => row.uscc },
    { key: 'contactName', label: '联系人', value: (row) => row.contactName },
    { key: 'storeCount', label: '门店数', kind: 'int', value: (row) => row.storeCount },
    { key: 'openCount', label: '营业门店', kind: 'int', value: (row) => row.openCount },
    { key: 'state', label: '状态', dictionary: enabledStates, value: (row) => row.state },
  ],
});
export const mergeExport = exportSource({
  call: exportMergeHospitalList,
  title: '医院合并记录',
  routeKey: 'hospitalManagementMaintenance',
  permission: may['hospital.export'].code,
  count: ({ db, staff, filter }) => countOf(matchingMerges(db, filter, staff)),
  chunks: ({ db, staff, filter }) =>
    chunksById((after, limit) =>
      filledMerges(matchingMerges(db, filter, staff))
        .where('m.id', '>', after)
        .orderBy('m.id')
        .limit(limit)
        .execute(),
    ),
  columns: [
    { key: 'mergeNo', label: '合并单号', width: 20, value: (row) => row.mergeNo },
    { key: 'loserName', label: '被合并医院', width: 30, value: (row) => row.loserName },
    { key: 'survivorName', label: '保留医院', width: 30, value: (row) => row.survivorName },
    { key: 'reason', label: '原因', width: 30, value: (row) => row.reason },
    { key: 'makerName', label: '申请人', value: (row) => row.makerName },
    { key: 'createdAt', label: '申请时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
    { key: 'checkerName', label: '复核人', value: (row) => row.checkerName },
    { key: 'doneAt', label: '合并时间', kind: 'instant', width: 20, value: (row) => row.doneAt },
    { key: 'undoneAt', label: '撤销时间', kind: 'instant', width: 20, value: (row) => row.undoneAt },
    { key: 'state', label: '状态', dictionary: mergeMachine.dictionary, value: (row) => row.state },
  ],
});

export const changeExport = (secrets: Secrets) =>
  exportSource({
    call: exportStoreChangeList,
    title: '药店变更',
    routeKey: 'drugstoreManagement',
    permission: may['store.export'].code,
    count: ({ db, staff, filter }) => countOf(matchingChanges(db, filter, staff)),
    chunks: ({ db, staff, filter }) => changeChunks(db, filter, staff, secrets),
    columns: [
      { key: 'changeNo', label: '变更单号', width: 20, value: (row) => row.changeNo },
      { key: 'ownerType', label: '机构类型', dictionary: licenceOwners, value: (row) => row.ownerType },
      { key: 'ownerName', label: '门店/连锁', width: 30, value: (row) => row.ownerName },
      {
        key: 'differences',
        label: '变更内容',
        width: 60,
        value: (row) => row.differences.map(({ label, before, after }) => `${label}：${before || '—'} → ${after || '—'}`).join('；'),
      },
      { key: 'reason', label: '原因', width: 30, value: (row) => row.reason },
      { key: 'makerName', label: '提交人', value: (row) => row.makerName },
      { key: 'createdAt', label: '提交时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
      { key: 'checkerName', label: '审核人', value: (row) => row.checkerName },
      { key: 'opinion', label: '意见', width: 30, value: (row) => row.opinion },
      { key: 'state', label: '状态', dictionary: changeMachine.dictionary, value: (row) => row.state },
    ],
  });
