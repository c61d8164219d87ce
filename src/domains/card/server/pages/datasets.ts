import { datasetAction, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id } from '#kernel/contract/fields.ts';
import {
  disputeBill,
  exportSettlementBillList,
  exportSettlementLineList,
  querySettlementBillList,
  querySettlementLineList,
  remindBill,
  resolveBillLine,
  voidBill,
} from '../../contract/calls/settlement.ts';
import { resolutions } from '../../contract/useDictionaries.ts';

// What pages of definitions may name of settlements with insurers' products. Every write is the declared call; what needs a file (the
// confirmation, the other side's statement) is done on the page of settlements.

const BILL_OPEN = ['PENDING_CONFIRM', 'DISPUTED'];

const billSet = dataset({
  code: 'tHmoCardSettlement',
  label: '储值结算单（HMO）',
  targetType: 'card.settlementBill',
  list: querySettlementBillList,
  key: 'id',
  version: 'version',
  routeKeys: ['storedCardBatchManage'],
  fixed: { bizLine: 'HMO' },
  columns: [
    'billNo',
    'batchNo',
    'direction',
    'counterpartyName',
    'productCode',
    'periodFrom',
    'periodTo',
    'lineCount',
    'gross',
    'reversal',
    'fee',
    'adjust',
    'net',
    'confirmed',
    'settled',
    'unresolved',
    'decidedBy',
    'invoiceState',
    'paymentNo',
    'dueDate',
    'overdue',
    'state',
  ],
  filters: [
    'billNo',
    'direction',
    'counterpartyName',
    'productCode',
    { key: 'period', label: '期间', from: 'periodFrom', to: 'periodTo' },
    'state',
    'overdue',
  ],
  export: exportSettlementBillList,
  actions: [
    datasetAction({
      code: 'remind',
      label: '催确认',
      kind: 'ROW',
      call: remindBill,
      form: {},
      input: ({ key, version }) => ({ billId: key, version }),
      when: { column: 'state', values: BILL_OPEN },
      confirm: '确定要催对方确认吗?',
    }),
    datasetAction({
      code: 'void',
      label: '作废',
      kind: 'ROW',
      call: voidBill,
      form: {},
      input: ({ key, version, opinion }) => ({ billId: key, version, opinion }),
      when: { column: 'state', values: BILL_OPEN },
      confirm: '作废后明细进入下一批次，确定要作废吗?',
      danger: true,
      opinion: true,
    }),
  ],
});

const lineSet = dataset({
  code: 'tHmoCardSettlement.line',
  label: '储值结算明细（HMO）',
  targetType: 'card.settlementBill',
  list: querySettlementLineList,
  key: 'id',
  version: 'billVersion',
  routeKeys: ['storedCardBatchManage'],
  columns: [
    'sourceType',
    'sourceNo',
    'orderNo',
    'amount',
    'fee',
    'net',
    'theirAmount',
    'difference',
    'matchState',
    'resolution',
    'opinion',
    'doneAt',
    'billId',
  ],
  filters: [{ key: 'billId', required: true }, 'sourceType', 'matchState', 'unresolved', 'sourceNo'],
  export: exportSettlementLineList,
  actions: [
    datasetAction({
      code: 'dispute',
      label: '登记差异',
      kind: 'UPDATE',
      call: disputeBill,
      form: { billId: field('结算单', id), theirAmount: field('对方金额', fen) },
      input: ({ key, version, values: { billId, theirAmount } }) => ({ billId, version, lines: [{ lineId: key, theirAmount }] }),
    }),
    datasetAction({
      code: 'resolve',
      label: '处理差异',
      kind: 'UPDATE',
      call: resolveBillLine,
      form: { billId: field('结算单', id), resolution: field('处理方式', resolutions.schema) },
      input: ({ key, version, values: { billId, resolution }, opinion }) => ({ lineId: key, billId, version, resolution, opinion }),
      when: { column: 'matchState', values: ['AMOUNT_DIFF', 'OURS_ONLY', 'THEIRS_ONLY'] },
      opinion: true,
    }),
  ],
});

export const cardSets: readonly Dataset[] = [billSet, lineSet];
