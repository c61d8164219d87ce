import { Tooltip } from 'antd';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryPermissionList } from '../../contract/calls/menus.ts';
import { risks } from '../../contract/dictionaries.ts';
import { Mark } from '../shared/Mark.tsx';
import { domainNames } from './domains.ts';

const catalogue = resource(queryPermissionList, {
  routeKey: 'menuManagement.permissions',
  rowKey: 'code',
  empty: '没有符合条件的权限，请调整筛选条件',
  filters: [
    { name: 'keyword', placeholder: '权限名称或编码' },
    { kind: 'select', name: 'domain', options: Object.entries(domainNames).map(([value, label]) => ({ value, label })) },
    { kind: 'dict', name: 'risk', label: '风险', dictionary: risks },
  ],
  columns: [
    {
      key: 'label',
      title: '权限',
      kind: 'custom',
      width: 250,
      required: true,
      render: (row) => (
        <span className="id-tags">
          {row.label}
          {row.retiredAt && <Mark>已退役</Mark>}
        </span>
      ),
    },
    { key: 'code', title: '编码', width: 230 },
    { key: 'domain', title: '领域', width: 110, value: (row) => domainNames[row.domain] ?? row.domain },
    { key: 'risk', title: '风险', kind: 'dict', dictionary: risks, width: 80 },
    { key: 'routeKeys', title: '页面', width: 180, value: (row) => row.routeKeys.map((key) => `/${key}`).join('、') },
    {
      key: 'calls',
      title: '调用',
      kind: 'custom',
      width: 260,
      render: (row) =>
        row.calls.length ? (
          <Tooltip
            title={<span style={{ whiteSpace: 'pre-line' }}>{row.calls.map((call) => `${call.label}　${call.path}`).join('\n')}</span>}
          >
            <span>{row.calls.map((call) => call.label).join('、')}</span>
          </Tooltip>
        ) : (
          <span className="kq-muted">尚未使用</span>
        ),
    },
    {
      key: 'roles',
      title: '角色',
      kind: 'custom',
      width: 260,
      render: (row) => {
        const names = row.roles.map((role) => role.name).join('、');
        return <span title={names}>{names || <span className="kq-muted">无</span>}</span>;
      },
    },
  ],
});

/** Tab 权限目录: every right of the product, read only. */
export function Catalogue() {
  return <ResourceList of={catalogue} />;
}
