import type { BuiltinPage } from '../../../../kernel/server/datasets/dataset.ts';
import { matchStates, resolutions, settlementDirections } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';

const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const choice = (name: string, label: string, from: Parameters<typeof options>[0], multiple = false) => ({
  type: 'select',
  name,
  label,
  clearable: true,
  ...(multiple && { multiple: true, joinValues: false, extractValue: true }),
  options: options(from),
});
const yesNo = (name: string, label: string) => ({
  type: 'select',
  name,
  label,
  clearable: true,
  options: [
    { value: 'true', label: '是' },
    { value: 'false', label: '否' },
  ],
});
const money = (name: string, label: string, width = 120) => ({ name: `${name}Text`, label, width, align: 'right' });
const opinion = { type: 'textarea', name: 'opinion', label: '意见', required: true, maxLength: 500 };
const searchButtons = {
  type: 'button-toolbar',
  buttons: [
    { type: 'submit', label: '查询', level: 'primary' },
    { type: 'reset', label: '重置' },
  ],
};

const LINES = '/ds/tHmoCardSettlement.line';
const lineForm = (code: string, body: readonly object[], data: Readonly<Record<string, string>>) => ({
  type: 'form',
  mode: 'horizontal',
  api: { url: `${LINES}/action.${code}`, data: { key: '${id}', version: '${billVersion}', billId: '${billId}', ...data } },
  reload: 'lines',
  body: [{ type: 'static', name: 'sourceNo', label: '单号' }, { type: 'static', name: 'amountText', label: '我方金额' }, ...body],
});

const lineTable = {
  type: 'crud',
  name: 'lines',
  api: { url: `${LINES}/list`, data: { billId: '${billId}' } },
  perPage: 20,
  primaryField: 'id',
  placeholder: '没有符合条件的明细',
  syncLocation: false,
  filter: {
    title: '',
    mode: 'horizontal',
    wrapWithPanel: false,
    className: 'kq-filter',
    body: [
      {
        type: 'group',
        body: [choice('matchState', '比对结果', matchStates, true), yesNo('unresolved', '未处理差异'), searchButtons],
      },
    ],
  },
  headerToolbar: [{ type: 'kq-export', dataset: 'tHmoCardSettlement.line', label: '导出', align: 'right' }, 'reload'],
  footerToolbar: ['statistics', 'pagination'],
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
    {
      type: 'operation',
      label: '操作',
      width: 140,
      fixed: 'right',
      buttons: [
        {
          type: 'button',
          label: '登记差异',
          level: 'link',
          visibleOn: "${ARRAYINCLUDES(allowedActions, 'dispute')}",
          actionType: 'dialog',
          dialog: {
            title: '登记差异',
            body: lineForm('dispute', [{ type: 'kq-money', name: 'theirAmount', label: '对方金额', required: true }], {
              theirAmount: '${theirAmount}',
            }),
          },
        },
        {
          type: 'button',
          label: '处理差异',
          level: 'link',
          visibleOn: "${ARRAYINCLUDES(allowedActions, 'resolve')}",
          actionType: 'dialog',
          dialog: {
            title: '处理差异',
            body: lineForm(
              'resolve',
              [
                { type: 'static', name: 'theirAmountText', label: '对方金额' },
                { type: 'radios', name: 'resolution', label: '处理方式', required: true, options: options(resolutions) },
                opinion,
              ],
              { resolution: '${resolution}', opinion: '${opinion}' },
            ),
          },
        },
      ],
    },
  ],
};

/** /tHmoCardSettlement 储值结算: bills of the insurers' products with their lines. */
export const settlementPage: BuiltinPage = {
  token: 'tHmoCardSettlement',
  description: 'HMO业务的储值结算单，查询、登记与处理差异、催确认、作废',
  definition: {
    type: 'page',
    body: [
      {
        type: 'crud',
        name: 'bills',
        api: '/ds/tHmoCardSettlement/list',
        perPage: 20,
        primaryField: 'id',
        placeholder: '没有符合条件的结算单',
        syncLocation: true,
        filter: {
          title: '',
          mode: 'horizontal',
          wrapWithPanel: false,
          className: 'kq-filter',
          body: [
            {
              type: 'group',
              body: [
                { type: 'input-text', name: 'billNo', label: '结算单号', clearable: true },
                choice('direction', '方向', settlementDirections),
                { type: 'input-text', name: 'counterpartyName', label: '结算对象', clearable: true },
                { type: 'input-text', name: 'productCode', label: '产品', clearable: true },
              ],
            },
            {
              type: 'group',
              body: [
                { type: 'input-date-range', name: 'period', label: '期间', valueFormat: 'YYYY-MM-DD', clearable: true },
                choice('state', '状态', billMachine.dictionary, true),
                yesNo('overdue', '是否逾期'),
                searchButtons,
              ],
            },
          ],
        },
        headerToolbar: [
          { type: 'kq-export', dataset: 'tHmoCardSettlement', label: '导出', align: 'right' },
          { type: 'columns-toggler', align: 'right' },
          'reload',
        ],
        footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
        perPageAvailable: [10, 20, 50, 100],
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
          {
            type: 'operation',
            label: '操作',
            width: 220,
            fixed: 'right',
            buttons: [
              {
                type: 'button',
                label: '明细',
                level: 'link',
                actionType: 'drawer',
                drawer: { title: '结算明细 ${billNo}', size: 'xl', data: { billId: '${id}' }, body: lineTable },
              },
              {
                type: 'button',
                label: '催确认',
                level: 'link',
                visibleOn: "${ARRAYINCLUDES(allowedActions, 'remind')}",
                confirmText: '确定要催对方确认吗?',
                actionType: 'ajax',
                api: { url: '/ds/tHmoCardSettlement/action.remind', data: { key: '${id}', version: '${version}' } },
                reload: 'bills',
              },
              {
                type: 'button',
                label: '作废',
                level: 'link',
                visibleOn: "${ARRAYINCLUDES(allowedActions, 'void')}",
                actionType: 'dialog',
                dialog: {
                  title: '作废结算单',
                  body: {
                    type: 'form',
                    mode: 'horizontal',
                    api: {
                      url: '/ds/tHmoCardSettlement/action.void',
                      data: { key: '${id}', version: '${version}', opinion: '${opinion}' },
                    },
                    reload: 'bills',
                    body: [{ type: 'static', name: 'billNo', label: '结算单号' }, opinion],
                  },
                },
              },
              { type: 'button', label: '对账与确认', level: 'link', actionType: 'link', link: '/storedCardBatchManage?tab=bills' },
            ],
          },
        ],
      },
    ],
  },
};
