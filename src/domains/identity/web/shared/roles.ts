import { useMemo } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryRoleInfoList } from '../../contract/calls/roles.ts';
import { identityPermissions } from '../../contract/permissions.ts';

const ALL = 999;
const KEPT_MS = 30_000;

/** All roles, for pickers. Empty for who may not see roles. */
export function useRoles() {
  const may = useMay();
  const { rows } = useList(
    queryRoleInfoList,
    { pageNo: 1, pageSize: ALL },
    { quiet: true, fresh: KEPT_MS, enabled: may(identityPermissions['role.view']) },
  );
  return rows;
}

/** Options of a role select; disabled roles cannot be given to anybody. */
export function useRoleOptions() {
  const rows = useRoles();
  return useMemo(
    () => (rows ?? []).map(({ id, name, roleCode, state }) => ({ value: id, label: name, roleCode, disabled: state === 'DISABLED' })),
    [rows],
  );
}
