import { Tooltip } from 'antd';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { queryPermissionList } from '../../contract/calls/menus.ts';
import { Mark } from '../shared/Mark.tsx';
import { domainNames } from './domains.ts';

const catalogue = resource(queryPermissionList, {
  routeKey: 'menuManagement.permissions',
  rowKey: 'code',
  empty: '没有符合条件的权限，请调整筛选条件',
  filters: [
    { name: 'keyword', placeholder: '权限名称或编码' },
    { kind: 'select', name: 'domain', options: Object.entries(domainNames).map(([value, label]) => ({ value, label })) },
    'risk',
  ],
  columns: [
    {
      key: 'label',
      width: 250,
      required: true,
      render: (row) => (
        <span className="id-tags">
          {row.label}
          {row.retiredAt && <Mark>已退役</Mark>}
        </span>
      ),
    },
    { key: 'code', width: 230 },
    { key: 'domain', width: 110, value: (row) => domainNames[row.domain] ?? row.domain },
    { key: 'risk', width: 80 },
    { key: 'routeKeys', width: 180, value: (row) => row.routeKeys.map((key) => `/${key}`).join('、') },
    {
      key: 'calls',
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
