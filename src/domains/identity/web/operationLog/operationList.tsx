import { todayHere } from '#kernel/web/form/today.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { Filter } from '#kernel/web/list/filters.ts';
import type { queryOperationLogList } from '../../contract/calls/logs.ts';
import { logKinds } from '../../contract/dictionaries.ts';
import { Mark } from '../shared/Mark.tsx';
import { actorText, changesText, isSuccess, pageOf, targetNames, targetText } from './logValues.ts';
import type { LogRow } from './logValues.ts';

type Options = readonly { value: string; label: string }[];

export const operationFilters = (roles: Options, pages: Options): readonly Filter<InputOf<typeof queryOperationLogList>>[] => [
  { kind: 'instants', names: ['from', 'to'], label: '时间', fallback: () => [todayHere(), todayHere()] },
  { kind: 'text', name: 'operator', label: '操作人', maxLength: 20, placeholder: '姓名或工号' },
  { kind: 'dict', name: 'kind', label: '类型', dictionary: logKinds, several: true },
  { kind: 'select', name: 'roleCode', label: '角色', options: roles },
  { kind: 'select', name: 'menuRouteKey', label: '菜单', options: pages },
  { kind: 'text', name: 'call', label: '操作名称', maxLength: 100 },
  {
    kind: 'select',
    name: 'targetType',
    label: '对象类型',
    options: Object.entries(targetNames).map(([value, label]) => ({ value, label })),
  },
  { kind: 'text', name: 'targetNo', label: '对象编号', maxLength: 50 },
  {
    kind: 'select',
    name: 'resultOk',
    label: '结果',
    options: [
      { value: 'true', label: '成功' },
      { value: 'false', label: '失败' },
    ],
  },
  { kind: 'text', name: 'ip', label: 'IP' },
  { kind: 'text', name: 'traceId', label: '追踪号' },
];

/** Columns of the log; a target is a link where the role may open its page. */
export const operationColumns = (titles: ReadonlyMap<string, string>, opens: ReadonlySet<string>): readonly Column<LogRow>[] => [
  { key: 'at', title: '时间', kind: 'time', required: true },
  { key: 'actor', title: '操作人', width: 160, value: actorText },
  { key: 'role', title: '角色', width: 110, value: (row) => row.roleName ?? row.roleCode },
  {
    key: 'menu',
    title: '菜单',
    width: 110,
    value: (row) => (row.menuRouteKey ? (titles.get(row.menuRouteKey) ?? row.menuRouteKey) : NOTHING),
  },
  { key: 'label', title: '操作', width: 150, required: true },
  { key: 'kind', title: '类型', kind: 'dict', dictionary: logKinds, width: 110 },
  {
    key: 'target',
    title: '对象',
    kind: 'link',
    width: 180,
    value: targetText,
    to: (row) => {
      const page = pageOf(row);
      return page && opens.has(page.path.slice(1)) ? page : null;
    },
  },
  { key: 'changes', title: '变更', width: 320, value: (row) => changesText(row.diff) },
  {
    key: 'result',
    title: '结果',
    kind: 'custom',
    width: 110,
    render: (row) =>
      isSuccess(row) ? (
        <Mark tone="success">成功</Mark>
      ) : (
        <span className="kq-danger" title={row.message ?? ''}>
          {row.resultCode}
        </span>
      ),
  },
  { key: 'durationMs', title: '耗时', width: 80, align: 'right', value: (row) => `${row.durationMs}ms` },
  { key: 'ip', title: 'IP', width: 130 },
];
