import { datasetAction, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import {
  delShieldGoods,
  disableShieldGoods,
  enableShieldGoods,
  exportShieldGoodsList,
  importShieldGoods,
  queryShieldGoodsList,
  SHIELD_IMPORTER,
} from '../../contract/calls/shield.ts';
import {
  auditSupplier,
  disableSupplier,
  exportSupplierList,
  pauseSupplier,
  querySupplierDetail,
  querySupplierList,
  resumeSupplier,
  submitSupplier,
} from '../../contract/calls/supplier.ts';
import { supplierMachine, type SupplierAction } from '../../contract/supplierStates.ts';

// What pages of definitions may name of orders. Every write is the declared call; forms are windows.

const switchRow = (call: typeof enableShieldGoods, code: string, label: string, from: readonly string[]) => [
  datasetAction({
    code,
    label,
    kind: 'ROW',
    call,
    form: {},
    input: ({ key, version }) => ({ id: key, version }),
    when: { column: 'status', values: from },
  }),
  datasetAction({
    code: `${code}Batch`,
    label: `批量${label}`,
    kind: 'BATCH',
    call,
    form: {},
    input: ({ key }) => ({ id: key }),
    when: { column: 'status', values: from },
  }),
];

const shieldSet = dataset({
  code: 'shieldAddCartGoodsConfig',
  label: '隐藏加购设置',
  targetType: 'order.shield',
  list: queryShieldGoodsList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'goodsCode',
    'goodsName',
    'scope',
    'scopeWords',
    'displayText',
    'reason',
    'effectiveFrom',
    'effectiveTo',
    'status',
    'updatedBy',
    'updatedAt',
  ],
  filters: ['goods', 'scope', 'status'],
  export: exportShieldGoodsList,
  import: { call: importShieldGoods, importerCode: SHIELD_IMPORTER },
  actions: [
    ...switchRow(enableShieldGoods, 'enable', '启用', ['DISABLED']),
    ...switchRow(disableShieldGoods, 'disable', '停用', ['EFFECTIVE', 'WAITING', 'EXPIRED']),
    datasetAction({
      code: 'del',
      label: '删除',
      kind: 'ROW',
      call: delShieldGoods,
      form: {},
      input: ({ key, version }) => ({ id: key, version }),
      confirm: '此操作将永久删除该文件, 是否继续?',
      danger: true,
    }),
  ],
});

const whileIn = (action: SupplierAction) => ({ column: 'status', values: supplierMachine.transitions[action].from });

const supplierSet = dataset({
  code: 'supplierSetup',
  label: '供应商',
  targetType: 'order.supplier',
  list: querySupplierList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'supplierCode',
    'supplierName',
    'supplierType',
    'integration',
    'coldChainCapable',
    'regionCount',
    'goodsCount',
    'dailyCapacity',
    'expireOn',
    'licenceState',
    'status',
    'updatedBy',
    'updatedAt',
  ],
  filters: ['supplier', 'supplierType', 'integration', 'licenceState', 'status'],
  detail: {
    call: querySupplierDetail,
    input: (id) => ({ id }),
    record: ({ supplier }) => supplier,
    trail: ({ trail }) => trail,
  },
  export: exportSupplierList,
  actions: [
    datasetAction({
      code: 'submit',
      label: '提交审核',
      kind: 'ROW',
      call: submitSupplier,
      form: {},
      input: ({ key, version }) => ({ id: key, version }),
      when: whileIn('submit'),
    }),
    datasetAction({
      code: 'audit',
      label: '审核',
      kind: 'UPDATE',
      call: auditSupplier,
      form: { decision: auditSupplier.input.shape.decision, opinion: auditSupplier.input.shape.opinion },
      input: ({ key, version, values }) => ({ id: key, version, ...values }),
      when: whileIn('approve'),
    }),
    datasetAction({
      code: 'pause',
      label: '暂停接单',
      kind: 'UPDATE',
      call: pauseSupplier,
      form: { opinion: pauseSupplier.input.shape.opinion },
      input: ({ key, version, values: { opinion } }) => ({ id: key, version, opinion }),
      when: whileIn('pause'),
    }),
    datasetAction({
      code: 'resume',
      label: '恢复接单',
      kind: 'ROW',
      call: resumeSupplier,
      form: {},
      input: ({ key, version }) => ({ id: key, version }),
      when: whileIn('resume'),
    }),
    datasetAction({
      code: 'disable',
      label: '停用',
      kind: 'ROW',
      call: disableSupplier,
      form: {},
      input: ({ key, version, opinion }) => ({ id: key, version, opinion }),
      when: whileIn('disable'),
      confirm: '停用后不再分配订单，重新启用须再次审核，确定要停用吗?',
      danger: true,
      opinion: true,
    }),
  ],
});

export const orderSets: readonly Dataset[] = [shieldSet, supplierSet];
