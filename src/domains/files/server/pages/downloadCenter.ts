import { datasetAction, type BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { allows } from '#kernel/server/datasets/pageParts.ts';
import { cancelExportTask, getExportFileUrl, queryExportTaskList, rerunExportTask, retryExportTask } from '../../contract/calls/exports.ts';
import { exportMachine } from '../../contract/states.ts';

const task = (code: string, label: string, call: typeof cancelExportTask, states: readonly string[], confirm = '') =>
  datasetAction({
    code,
    label,
    kind: 'ROW',
    call,
    form: {},
    input: ({ key, version }) => ({ taskId: key, version }),
    when: { column: 'state', values: states },
    confirm,
  });

/** The export tasks of who looks. */
export const downloadSet = dataset({
  code: 'downloadCenter',
  label: '我的导出任务',
  targetType: 'files.exportTask',
  list: queryExportTaskList,
  key: 'taskId',
  version: 'version',
  routeKeys: ['downloadList'],
  columns: [
    { key: 'taskNo', label: '任务编号', width: 170 },
    { key: 'name', label: '名称', width: 260 },
    { key: 'sourceTitle', label: '来源页面', width: 140 },
    { key: 'format', label: '格式', width: 80 },
    { key: 'rowCount', label: '行数', type: 'int', width: 90 },
    { key: 'rowsTotal', label: '总行数', type: 'int', width: 90 },
    { key: 'state', label: '状态', width: 90 },
    { key: 'progressBp', label: '进度', type: 'progressBp', width: 150 },
    { key: 'createdAt', label: '创建时间', type: 'datetime', width: 160 },
    { key: 'expiresAt', label: '过期时间', type: 'datetime', width: 160 },
    { key: 'errorMessage', label: '失败原因', width: 200 },
  ],
  filters: ['name', 'state', { key: 'created', label: '创建时间', from: 'from', to: 'to' }],
  fixed: { mine: true },
  actions: [
    datasetAction({
      code: 'download',
      label: '下载',
      kind: 'ROW',
      call: getExportFileUrl,
      form: {},
      input: ({ key }) => ({ taskId: key }),
      when: { column: 'state', values: exportMachine.transitions.download.from },
      download: true,
    }),
    task('retry', '重试', retryExportTask, exportMachine.transitions.retry.from),
    task('cancel', '取消', cancelExportTask, exportMachine.transitions.cancel.from, '确定取消该导出任务？'),
    task('rerun', '再次导出', rerunExportTask, exportMachine.transitions.rerun.from),
  ],
});

const button = (code: string, label: string, more: object = {}) => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  actionType: 'ajax',
  api: { url: `/ds/downloadCenter/action.${code}`, data: { key: '${taskId}', version: '${version}' } },
  reload: 'tasks',
  ...more,
});

/** /downloadCenter 下载中心（低代码）: 我的导出 of the download centre, as a page of definitions. */
export const downloadPage: BuiltinPage = {
  token: 'downloadCenter',
  description: '本人的导出任务：下载、重试、取消、再次导出',
  definition: {
    type: 'page',
    body: [
      {
        type: 'crud',
        name: 'tasks',
        api: '/ds/downloadCenter/list',
        perPage: 20,
        primaryField: 'taskId',
        placeholder: '没有导出任务',
        syncLocation: true,
        // Reads again while a file is being made.
        interval: 3000,
        silentPolling: true,
        stopAutoRefreshWhen: "${!ARRAYINCLUDES(stateSet, 'RUNNING') && !ARRAYINCLUDES(stateSet, 'QUEUED')}",
        filter: {
          title: '',
          mode: 'horizontal',
          wrapWithPanel: false,
          className: 'kq-filter',
          body: [
            {
              type: 'group',
              body: [
                { type: 'input-text', name: 'name', label: '名称', placeholder: '任务编号或名称', clearable: true },
                {
                  type: 'select',
                  name: 'state',
                  label: '状态',
                  multiple: true,
                  clearable: true,
                  joinValues: false,
                  extractValue: true,
                  options: exportMachine.dictionary.options.map(({ value, label }) => ({ value, label })),
                },
                { type: 'input-date-range', name: 'created', label: '创建时间', valueFormat: 'YYYY-MM-DD', clearable: true },
                {
                  type: 'button-toolbar',
                  buttons: [
                    { type: 'submit', label: '查询', level: 'primary' },
                    { type: 'reset', label: '重置' },
                  ],
                },
              ],
            },
          ],
        },
        headerToolbar: ['reload'],
        footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
        perPageAvailable: [10, 20, 50, 100],
        columns: [
          { name: 'taskNo', label: '任务编号', width: 170 },
          { name: 'name', label: '名称', width: 260 },
          { name: 'sourceTitle', label: '来源页面', width: 140 },
          { name: 'rowCount', label: '行数', width: 90, align: 'right' },
          { name: 'stateText', label: '状态', width: 90 },
          { name: 'progressBpText', label: '进度', width: 90, align: 'right' },
          { name: 'createdAtText', label: '创建时间', width: 160 },
          { name: 'expiresAtText', label: '过期时间', width: 160 },
          {
            type: 'operation',
            label: '操作',
            width: 190,
            fixed: 'right',
            buttons: [
              button('download', '下载'),
              button('retry', '重试'),
              button('cancel', '取消', { confirmText: '确定取消该导出任务？' }),
              button('rerun', '再次导出'),
            ],
          },
        ],
      },
    ],
  },
};
