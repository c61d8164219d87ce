import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { queryMenuInfoList, queryPermissionList } from '../../contract/calls/menus.ts';
import { queryRoleInfoDetail } from '../../contract/calls/roles.ts';
import { RoleEditor } from './RoleEditor.tsx';
import { loosePermissions, roleTree } from './selection.ts';
import './roles.css';

const address = { id: param.optional(), copyId: param.optional() };
const ALL = 999;

/** /editRole: an existing role (`id`), a copy of one (`copyId`), or a new one. */
export default function EditRole() {
  const [{ id, copyId }] = useAddress(address);
  const source = id ?? copyId;
  const menus = useData(queryMenuInfoList, {}, { quiet: true });
  const catalogue = useList(queryPermissionList, { pageNo: 1, pageSize: ALL }, { quiet: true });
  const detail = useData(queryRoleInfoDetail, { id: source ?? '' }, { quiet: true, enabled: source !== undefined });
  const nodes = useMemo(() => (menus.data && catalogue.rows ? roleTree(menus.data, catalogue.rows) : []), [menus.data, catalogue.rows]);
  const loose = useMemo(() => loosePermissions(nodes, catalogue.rows ?? []), [nodes, catalogue.rows]);
  const role = detail.data;
  usePageTitle(!source ? '新增角色' : role && (id ? `编辑角色：${role.name}` : `复制角色：${role.name}`));

  const error = menus.error ?? catalogue.error ?? detail.error;
  if (error) {
    return (
      <TableFailure
        error={error}
        onRetry={() => {
          void menus.refetch();
          void catalogue.refetch();
          if (source) void detail.refetch();
        }}
      />
    );
  }
  if (!menus.data || !catalogue.rows || (source && !role)) return <Skeleton active paragraph={{ rows: 14 }} className="kq-pad" />;
  return (
    <RoleEditor
      key={`${role?.id}:${role?.version}`}
      role={role ?? null}
      copying={id === undefined && role !== undefined}
      nodes={nodes}
      loose={loose}
      catalogue={catalogue.rows}
    />
  );
}
