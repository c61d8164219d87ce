import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, allows, choice, choices, rowForm, tabbedPage, type Part } from '#kernel/server/datasets/pageParts.ts';
import { allocationWindows } from '../../contract/pageWindows.ts';
import { allocationTriggers, strategies } from '../../contract/rules/allocation.ts';
import { rulePhases } from '../../contract/ruleStates.ts';

const RULES = 'orderAllocation.rule';
/** Priority of the rule on which the program relies: nobody changes it. */
const LAST = 999;
const opens = (window: PageWindow, label: string, more: Part): Part => ({
  type: 'kq-window',
  window: window.name,
  label,
  reload: 'rules',
  ...more,
});
const ofRow = { record: 'id', level: 'link' };
const act = (code: string, label: string, confirmText: string): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  confirmText,
  actionType: 'ajax',
  api: { url: `/ds/${RULES}/action.${code}`, data: { key: '${id}', version: '${version}' } },
  reload: 'rules',
});

/** /orderAllocation 订单分配规则. */
export const orderAllocationPage: BuiltinPage = {
  token: 'orderAllocation',
  description: '订单按规则分配给供应商：适用条件、策略、候选与拆单，经他人审批后生效；可试分配并查看分配记录',
  definition: tabbedPage([
    {
      title: '分配规则',
      list: {
        name: 'rules',
        dataset: RULES,
        placeholder: '没有符合条件的规则',
        search: [
          [
            { type: 'input-text', name: 'rule', label: '规则', placeholder: '名称或编码', clearable: true },
            choice('strategy', '策略', strategies),
            choices('phase', '状态', rulePhases),
          ],
        ],
        toolbar: [opens(allocationWindows.add, '新增', { level: 'primary' }), opens(allocationWindows.trial, '试分配', {})],
        columns: [
          { name: 'priority', label: '优先级', width: 80, sortable: true, align: 'right', fixed: 'left' },
          { name: 'ruleCode', label: '规则编码', width: 100, fixed: 'left' },
          { name: 'ruleName', label: '规则名称', width: 160 },
          { name: 'phaseText', label: '状态', width: 80 },
          { name: 'conditionText', label: '适用条件', width: 280 },
          { name: 'strategyText', label: '策略', width: 90 },
          { name: 'candidatesText', label: '候选供应商', width: 220 },
          { name: 'allowSplitText', label: '允许拆单', width: 90 },
          { name: 'maxSplit', label: '最多拆单数', width: 100, align: 'right' },
          { name: 'ruleVersion', label: '版本', width: 70, align: 'right' },
          { name: 'effectiveFromText', label: '生效日期', width: 110, sortable: true },
          { name: 'effectiveToText', label: '失效日期', width: 110 },
          { name: 'updatedBy', label: '修改人', width: 90 },
          { name: 'updatedAtText', label: '修改时间', width: 150, sortable: true },
        ],
        row: {
          width: 170,
          buttons: [
            opens(allocationWindows.view, '查看', ofRow),
            opens(allocationWindows.edit, '编辑', {
              ...ofRow,
              visibleOn: `\${phase != 'PENDING_APPROVAL' && priority < ${LAST}}`,
            }),
            opens(allocationWindows.audit, '审批', { ...ofRow, visibleOn: allows('audit') }),
            act('submit', '提交', '提交后由他人审批，确定要提交吗?'),
            act('enable', '启用', '确定要启用该规则吗?'),
            {
              ...rowForm(
                'disable',
                '停用',
                '停用规则',
                actionForm(RULES, 'disable', { key: '${id}', version: '${version}', opinion: '${opinion}' }, 'rules', [
                  { type: 'static', name: 'ruleName', label: '规则' },
                  { type: 'textarea', name: 'opinion', label: '意见', required: true, maxLength: 500 },
                ]),
              ),
              visibleOn: `\${ARRAYINCLUDES(allowedActions, 'disable') && priority < ${LAST}}`,
            },
          ],
        },
      },
    },
    {
      title: '分配记录',
      list: {
        name: 'runs',
        dataset: 'orderAllocation.run',
        placeholder: '没有符合条件的分配记录',
        search: [
          [
            { type: 'input-text', name: 'orderNo', label: '订单号', placeholder: '完整订单号', clearable: true },
            choices('trigger', '触发', allocationTriggers),
          ],
        ],
        columns: [
          { name: 'orderNo', label: '订单号', width: 170, fixed: 'left' },
          { name: 'attempt', label: '次数', width: 70, align: 'right' },
          { name: 'triggerText', label: '触发', width: 90 },
          { name: 'ruleText', label: '规则', width: 110 },
          { name: 'strategyText', label: '策略', width: 90 },
          { name: 'succeededText', label: '成功', width: 70 },
          { name: 'resultText', label: '结果', width: 240 },
          { name: 'faultText', label: '未选原因', width: 300 },
          { name: 'operatorName', label: '操作人', width: 90 },
          { name: 'opinion', label: '意见', width: 150 },
          { name: 'createdAtText', label: '时间', width: 150 },
        ],
      },
    },
  ]),
};
