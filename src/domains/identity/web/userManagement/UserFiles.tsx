import { Button } from 'antd';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import { exportUserInfoList } from '../../contract/calls/users.ts';
import type { queryUserInfoList } from '../../contract/calls/users.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { useExport } from '../shared/useExport.ts';

interface UserFilesProps {
  filters: InputOf<typeof queryUserInfoList>;
  total: number;
  onImported(): void;
}

/** 导出 of the filtered users, masked. */
export function UserFiles({ filters, total }: UserFilesProps) {
  const { run, busy } = useExport(exportUserInfoList);
  const { pageNo: _no, pageSize: _size, id: _id, ...chosen } = filters;
  return (
    <Can permission={may['user.export']}>
      <Button disabled={busy || total === 0} onClick={() => void run(chosen)}>
        导出
      </Button>
    </Can>
  );
}
