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

export const orderSets: readonly Dataset[] = [shieldSet];
