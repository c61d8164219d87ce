import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, allows, choice, choices, listPage, rowForm, yesNo, type Part } from '#kernel/server/datasets/pageParts.ts';
import { billWindows } from '../../contract/pageWindows.ts';
import { settlementDirections } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';

const BILLS = 'tHmoCardSettlement';
const money = (name: string, label: string, width = 120) => ({ name: `${name}Text`, label, width, align: 'right' });
const opinion = { type: 'textarea', name: 'opinion', label: '意见', required: true, maxLength: 500 };

/** Over the bill of the row, in the drawers of the page of settlements. */
const opens = (window: PageWindow, label: string, more: Part = {}): Part => ({
  type: 'kq-window',
  window: window.name,
  record: 'billNo',
  label,
  level: 'link',
  reload: 'bills',
  ...more,
});
const whileOpen = { visibleOn: "${state == 'PENDING_CONFIRM' || state == 'DISPUTED'}" };

/** /tHmoCardSettlement 储值结算: bills of the insurers' products; lines, disputes and confirmation open in the drawers of settlements. */
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
      { name: 'counterpartyName', label: '结算对象', width: 180 },
      { name: 'directionText', label: '方向', width: 80 },
      { name: 'periodToText', label: '期间止', width: 110 },
      money('net', '应结净额'),
      money('confirmed', '已确认'),
      money('settled', '已结清'),
      { name: 'unresolved', label: '未处理差异', width: 90, align: 'right' },
      { name: 'dueDateText', label: '到期日', width: 110 },
      { name: 'batchNo', label: '批次', width: 160 },
      { name: 'productCode', label: '产品', width: 120 },
      { name: 'periodFromText', label: '期间起', width: 110 },
      { name: 'lineCount', label: '笔数', width: 70, align: 'right' },
      money('gross', '核销额'),
      money('reversal', '冲正额'),
      money('fee', '手续费', 100),
      money('adjust', '调整额', 100),
      { name: 'decidedBy', label: '以对方为准经办', width: 130 },
      { name: 'invoiceStateText', label: '开票状态', width: 90 },
      { name: 'paymentNo', label: '付款单', width: 150 },
      { name: 'overdueText', label: '是否逾期', width: 80 },
      { name: 'stateText', label: '状态', width: 100, fixed: 'right' },
    ],
    row: {
      width: 150,
      buttons: [
        opens(billWindows.lines, '明细'),
        opens(billWindows.confirm, '确认', whileOpen),
        {
          type: 'dropdown-button',
          label: '更多',
          level: 'link',
          buttons: [
            opens(billWindows.statement, '导入对账文件', whileOpen),
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
            {
              type: 'button',
              label: '对账单',
              level: 'link',
              actionType: 'link',
              link: '/storedCardBatchManage?tab=bills&billNo=${billNo}',
            },
          ],
        },
      ],
    },
  }),
};
