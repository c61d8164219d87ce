import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import {
  actionForm,
  allows,
  choice,
  choices,
  innerList,
  listPage,
  radios,
  rowDrawer,
  rowForm,
  yesNo,
  type Part,
} from '#kernel/server/datasets/pageParts.ts';
import { matchStates, resolutions, settlementDirections } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';

const BILLS = 'tHmoCardSettlement';
const LINES = 'tHmoCardSettlement.line';
const money = (name: string, label: string, width = 120) => ({ name: `${name}Text`, label, width, align: 'right' });
const opinion = { type: 'textarea', name: 'opinion', label: '意见', required: true, maxLength: 500 };

const lineForm = (code: string, label: string, data: Readonly<Record<string, string>>, body: readonly Part[]) =>
  rowForm(
    code,
    label,
    label,
    actionForm(LINES, code, { key: '${id}', version: '${billVersion}', billId: '${billId}', ...data }, 'lines', [
      { type: 'static', name: 'sourceNo', label: '单号' },
      { type: 'static', name: 'amountText', label: '我方金额' },
      ...body,
    ]),
  );

const lines = innerList(
  {
    name: 'lines',
    dataset: LINES,
    placeholder: '没有符合条件的明细',
    search: [[choices('matchState', '比对结果', matchStates), yesNo('unresolved', '未处理差异')]],
    columns: [
      { name: 'sourceTypeText', label: '来源', width: 80 },
      { name: 'sourceNo', label: '单号', width: 180 },
      { name: 'orderNo', label: '订单号', width: 160 },
      money('amount', '我方金额', 110),
      money('theirAmount', '对方金额', 110),
      money('difference', '差额', 100),
      { name: 'matchStateText', label: '比对结果', width: 100 },
      { name: 'resolutionText', label: '处理方式', width: 110 },
      { name: 'opinion', label: '意见', width: 160 },
    ],
    row: {
      width: 140,
      buttons: [
        lineForm('dispute', '登记差异', { theirAmount: '${theirAmount}' }, [
          { type: 'kq-money', name: 'theirAmount', label: '对方金额', required: true },
        ]),
        lineForm('resolve', '处理差异', { resolution: '${resolution}', opinion: '${opinion}' }, [
          { type: 'static', name: 'theirAmountText', label: '对方金额' },
          radios('resolution', '处理方式', resolutions),
          opinion,
        ]),
      ],
    },
  },
  { billId: '${billId}' },
);

/** /tHmoCardSettlement 储值结算: bills of the insurers' products with their lines. */
export const settlementPage: BuiltinPage = {
  token: 'tHmoCardSettlement',
  description: 'HMO业务的储值结算单，查询、登记与处理差异、催确认、作废',
  definition: listPage({
    name: 'bills',
    dataset: BILLS,
    placeholder: '没有符合条件的结算单',
    search: [
      [
        { type: 'input-text', name: 'billNo', label: '结算单号', clearable: true },
        choice('direction', '方向', settlementDirections),
        { type: 'input-text', name: 'counterpartyName', label: '结算对象', clearable: true },
      ],
      [
        { type: 'input-text', name: 'productCode', label: '产品', clearable: true },
        { type: 'input-date-range', name: 'period', label: '期间', valueFormat: 'YYYY-MM-DD', clearable: true },
        choices('state', '状态', billMachine.dictionary),
      ],
      [yesNo('overdue', '是否逾期')],
    ],
    columns: [
      { name: 'billNo', label: '结算单号', width: 160, fixed: 'left' },
      { name: 'batchNo', label: '批次', width: 160 },
      { name: 'directionText', label: '方向', width: 80 },
      { name: 'counterpartyName', label: '结算对象', width: 180 },
      { name: 'productCode', label: '产品', width: 120 },
      { name: 'periodFromText', label: '期间起', width: 110 },
      { name: 'periodToText', label: '期间止', width: 110 },
      { name: 'lineCount', label: '笔数', width: 70, align: 'right' },
      money('gross', '核销额'),
      money('reversal', '冲正额'),
      money('fee', '手续费', 100),
      money('adjust', '调整额', 100),
      money('net', '应结净额'),
      money('confirmed', '已确认'),
      money('settled', '已结清'),
      { name: 'invoiceStateText', label: '开票状态', width: 90 },
      { name: 'paymentNo', label: '付款单', width: 150 },
      { name: 'dueDateText', label: '到期日', width: 110 },
      { name: 'overdueText', label: '是否逾期', width: 80 },
      { name: 'stateText', label: '状态', width: 110 },
    ],
    row: {
      width: 220,
      buttons: [
        rowDrawer('明细', { title: '结算明细 ${billNo}', size: 'xl', data: { billId: '${id}', billNo: '${billNo}' }, body: lines }),
        {
          type: 'button',
          label: '催确认',
          level: 'link',
          visibleOn: allows('remind'),
          confirmText: '确定要催对方确认吗?',
          actionType: 'ajax',
          api: { url: `/ds/${BILLS}/action.remind`, data: { key: '${id}', version: '${version}' } },
          reload: 'bills',
        },
        rowForm(
          'void',
          '作废',
          '作废结算单',
          actionForm(BILLS, 'void', { key: '${id}', version: '${version}', opinion: '${opinion}' }, 'bills', [
            { type: 'static', name: 'billNo', label: '结算单号' },
            opinion,
          ]),
        ),
        { type: 'button', label: '对账与确认', level: 'link', actionType: 'link', link: '/storedCardBatchManage?tab=bills' },
      ],
    },
  }),
};
